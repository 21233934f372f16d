//! Looks back from an instruction along every way that control may come, as far as wait states can matter.

use super::facts::{Facts, Role, Unit, Use};
use super::needs::{Need, between};

/// Two instructions too close to each other.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub need: Need,
    /// Wait states between the two.
    pub there: u8,
    pub register: u32,
    /// Every instruction from the earlier to the later one.
    pub path: Vec<u32>,
}

/// More steps than any rule needs: on gfx1250 only vector instructions count.
const LONGEST: usize = 96;
/// Wait states that a branch is worth when it is taken: the wave fetches from elsewhere, and issues nothing meanwhile.
/// inferred: where ways join, LLVM 22 and 24 leave out up to four (they look at a block by one of the ways to it).
const TAKEN: u8 = 4;
/// Places looked at from one instruction. What lies behind is not found.
const MOST_PLACES: usize = 4000;
/// Registers of one instruction: a bit each.
const MOST_REGISTERS: usize = 128;

struct Place {
    at: u32,
    /// The place that control goes to from here, nearer to where the search began.
    next: usize,
    length: usize,
    /// Wait states between it and where the search began.
    there: u8,
    /// The registers that nothing between has written.
    live: u128,
}

/// What stands too close before instruction `at`. `before` are the instructions that control comes from.
pub(super) fn look_back(
    gfx9: bool,
    facts: &[Option<Facts>],
    before: &[Vec<u32>],
    at: u32,
    far: u8,
) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let Some(Some(later)) = facts.get(at as usize) else { return found };
    let registers: Vec<(u32, Use)> =
        later.uses.iter().flat_map(|u| u.registers().map(move |r| (r, *u))).take(MOST_REGISTERS).collect();
    if registers.is_empty() {
        return found;
    }
    let all = if registers.len() == MOST_REGISTERS { u128::MAX } else { (1 << registers.len()) - 1 };
    let mut places = vec![Place { at, next: usize::MAX, length: 0, there: 0, live: all }];
    let mut current = 0;
    while let Some(place) = places.get(current) {
        let (at, length, there, live) = (place.at, place.length + 1, place.there, place.live);

        let from = before.get(at as usize).map_or(&[][..], Vec::as_slice);
        for &earlier_at in from {
            let Some(Some(earlier)) = facts.get(earlier_at as usize) else { continue };
            // A nap is longer than anything here.
            if earlier.name.starts_with("s_sleep") {
                continue;
            }
            let mut live = live;
            let mut worst: Option<(Need, u32)> = None;
            for (i, &(register, used)) in registers.iter().enumerate() {
                if live >> i & 1 == 0 {
                    continue;
                }
                if let Some(need) = between(gfx9, earlier, later, used, register).filter(|n| there < n.within)
                    && worst.is_none_or(|(w, _)| w.states < need.states)
                {
                    worst = Some((need, register));
                }
                if earlier.uses.iter().any(|u| u.role == Role::Result && u.has(register)) {
                    live &= !(1 << i);
                }
            }
            let taken = earlier_at.wrapping_add(1) != at;
            let states = if taken { TAKEN } else { earlier.states };
            let new = Place { at: earlier_at, next: current, length, there: there + states, live };
            if let Some((need, register)) = worst {
                found.push(Found { need, there, register, path: path(&places, &new) });
            }
            if new.there < far && live != 0 && length < LONGEST && places.len() < MOST_PLACES {
                places.push(new);
            }
        }
        current += 1;
    }
    found
}

fn path(places: &[Place], from: &Place) -> Vec<u32> {
    let mut path = vec![from.at];
    let mut next = from.next;
    while let Some(place) = places.get(next) {
        path.push(place.at);
        next = place.next;
    }
    path
}

/// How many wait states may matter before an instruction.
pub(super) fn reach(gfx9: bool, products: bool, later: &Facts) -> u8 {
    match (gfx9, later.unit) {
        (true, Unit::Vector | Unit::Matrix(_) | Unit::Memory | Unit::Lds) if products => 19,
        (true, Unit::Vector | Unit::Matrix(_) | Unit::Memory | Unit::Lds) => 5,
        (true, Unit::Scalar) => 2,
        (false, Unit::Vector | Unit::Matrix(_)) => {
            if products {
                9
            } else {
                1
            }
        }
        _ => 0,
    }
}
