//! Who executes: the scope, the threads that are active, and the group axes that follow.

use super::{Refusal, refuse};
use crate::axis::Axis;

/// Most warps of a block.
const MAX_WARPS: u32 = 32;

/// The set of threads that execute an instruction together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// One thread.
    Thread,
    /// One warp, which must be known.
    Warp,
    /// The warps of each active warpgroup.
    Warpgroup,
    /// The warps of a block.
    Cta,
    /// The warps of all blocks of a cluster.
    Cluster,
}

impl Scope {
    /// All of them.
    pub const ALL: [Scope; 5] = [Scope::Thread, Scope::Warp, Scope::Warpgroup, Scope::Cta, Scope::Cluster];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Scope::Thread => "thread",
            Scope::Warp => "warp",
            Scope::Warpgroup => "warpgroup",
            Scope::Cta => "cta",
            Scope::Cluster => "cluster",
        }
    }

    /// The scope of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// Scope, active threads and cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The scope.
    pub scope: Scope,
    /// Active lanes of each warp of the block, as masks.
    pub lanes: Vec<u32>,
    /// Blocks of a cluster along x, y and z; `None` when the launch names none.
    pub cluster: Option<[u32; 3]>,
}

impl Context {
    /// All threads of a block of `threads` are active.
    #[must_use]
    pub fn all(scope: Scope, threads: u32) -> Context {
        Context::guarded(scope, threads, |_, _| true)
    }

    /// The threads of a block for which `active(warp, lane)` holds.
    #[must_use]
    pub fn guarded(scope: Scope, threads: u32, active: impl Fn(u32, u32) -> bool) -> Context {
        let threads = threads.min(MAX_WARPS * 32);
        let lanes = (0..threads.div_ceil(32))
            .map(|warp| {
                (0..32)
                    .filter(|&lane| warp * 32 + lane < threads && active(warp, lane))
                    .fold(0, |mask, lane| mask | 1 << lane)
            })
            .collect();
        Context { scope, lanes, cluster: None }
    }

    fn warps(&self) -> Vec<u32> {
        (0u32..).zip(&self.lanes).filter(|(_, mask)| **mask != 0).map(|(warp, _)| warp).collect()
    }
}

/// One member of the group: what its coordinates are, and which warp executes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Coordinates in the operands' leading dimensions.
    pub(super) lead: Vec<u64>,
    /// Hardware value of each group axis.
    pub(super) axes: Vec<(Axis, u64)>,
    /// Warps of the block that run with these coordinates: several when every warpgroup does the same.
    pub(super) warps: Vec<u32>,
}

/// The group of a warp-collective instruction.
pub(super) struct Group {
    /// Leading extents of every operand.
    pub(super) shape: Vec<u64>,
    /// Its members, in row-major order.
    pub(super) members: Vec<Member>,
}

impl Context {
    /// The group of an instruction that a whole warp executes.
    pub(super) fn warp_group(&self) -> Result<Group, Refusal> {
        const LANES: &str = "instruction requires all 32 lanes of a warp to be active";
        if self.scope == Scope::Thread || self.lanes.iter().any(|&m| m != 0 && m != u32::MAX) {
            return refuse("apply-lanes", LANES);
        }
        let warps = self.warps();
        let (Some(&first), Some(&last)) = (warps.first(), warps.last()) else {
            return refuse("apply-lanes", LANES);
        };
        let contiguous = |list: &[u32]| list.windows(2).all(|w| matches!(w, [a, b] if a + 1 == *b));
        match self.scope {
            Scope::Thread => refuse("apply-lanes", LANES),
            Scope::Warp => {
                let member = Member { lead: Vec::new(), axes: Vec::new(), warps };
                Ok(Group { shape: Vec::new(), members: vec![member] })
            }
            Scope::Warpgroup => {
                let inside = |group: u32| -> Vec<u32> {
                    warps.iter().filter(|w| *w / 4 == group).map(|w| w % 4).collect()
                };
                let groups: Vec<u32> = (first / 4..=last / 4).filter(|&g| !inside(g).is_empty()).collect();
                let wids = inside(first / 4);
                if !contiguous(&wids) || groups.iter().any(|&g| inside(g) != wids) {
                    return refuse(
                        "apply-active",
                        "active warps must be the same contiguous range in every active warpgroup",
                    );
                }
                let members = (0u64..)
                    .zip(&wids)
                    .map(|(k, &wid)| Member {
                        lead: vec![k],
                        axes: vec![(Axis::WidInWg, u64::from(wid))],
                        warps: groups.iter().map(|g| 4 * g + wid).collect(),
                    })
                    .collect();
                Ok(Group { shape: vec![wids.len() as u64], members })
            }
            Scope::Cta | Scope::Cluster => {
                if !contiguous(&warps) {
                    return refuse("apply-active", "active warps must be a contiguous range");
                }
                let mut shape = Vec::new();
                let mut members = vec![Member { lead: Vec::new(), axes: Vec::new(), warps: Vec::new() }];
                if self.scope == Scope::Cluster {
                    let Some(cluster) = self.cluster else {
                        return refuse(
                            "apply-cluster",
                            "cluster scope requires an explicit cluster of the launch",
                        );
                    };
                    let [x, y, z] = cluster.map(|n| n.clamp(1, 16));
                    // Only axes that the launch declares with more than one block are part of the group.
                    for (axis, extent) in [(Axis::Cbz, z), (Axis::Cby, y), (Axis::Cbx, x)] {
                        if extent > 1 {
                            members = extend(&members, axis, &(0..u64::from(extent)).collect::<Vec<_>>());
                            shape.push(u64::from(extent));
                        }
                    }
                }
                shape.push(warps.len() as u64);
                let wide: Vec<u64> = warps.iter().map(|&w| u64::from(w)).collect();
                members = extend(&members, Axis::WarpId, &wide);
                for member in &mut members {
                    if let Some(&(_, warp)) = member.axes.last() {
                        member.warps = vec![u32::try_from(warp).unwrap_or(0)];
                    }
                }
                Ok(Group { shape, members })
            }
        }
    }

    /// The group of an instruction that one thread executes: lanes are part of it in wider scopes.
    pub(super) fn thread_group(&self) -> Result<Group, Refusal> {
        if self.scope == Scope::Thread {
            let member = Member { lead: Vec::new(), axes: Vec::new(), warps: self.warps() };
            return Ok(Group { shape: Vec::new(), members: vec![member] });
        }
        let mut group = self.warp_group()?;
        group.shape.push(32);
        let lanes: Vec<u64> = (0..32).collect();
        group.members = extend(&group.members, Axis::LaneId, &lanes);
        Ok(group)
    }
}

fn extend(members: &[Member], axis: Axis, values: &[u64]) -> Vec<Member> {
    members
        .iter()
        .flat_map(|member| {
            (0u64..).zip(values).map(|(k, &value)| {
                let mut next = member.clone();
                next.lead.push(k);
                next.axes.push((axis, value));
                next
            })
        })
        .collect()
}
