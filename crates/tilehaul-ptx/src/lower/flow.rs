//! Where lanes that part meet again: immediate post-dominators of branches.
//!
//! Lanes of a warp that take different ways at a branch meet at the first instruction that every way to the end passes.
//! Where no such instruction exists they go on apart until they end.

/// No place to meet.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// How control leaves an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leaves {
    /// To the next one.
    Falls,
    /// To these, and to the next one when `falls`.
    Jumps { to: Vec<u32>, falls: bool },
    /// Not at all, or to the next one when `falls` (a predicated end).
    Ends { falls: bool },
}

/// For every instruction that jumps, the instruction at which its ways meet. Numbers count from 0 in one function.
pub(crate) fn meeting_points(flow: &[Leaves]) -> Vec<u32> {
    let blocks = Blocks::new(flow);
    let post = blocks.post_dominators();
    flow.iter()
        .enumerate()
        .map(|(i, leaves)| match leaves {
            Leaves::Jumps { .. } => {
                let meets = post[blocks.of[i]];
                blocks.starts.get(meets).copied().unwrap_or(NOWHERE)
            }
            Leaves::Falls | Leaves::Ends { .. } => NOWHERE,
        })
        .collect()
}

struct Blocks {
    /// First instruction of each block.
    starts: Vec<u32>,
    /// Block of each instruction.
    of: Vec<usize>,
    /// Successors; the number of blocks stands for the end.
    next: Vec<Vec<usize>>,
}

impl Blocks {
    fn new(flow: &[Leaves]) -> Blocks {
        let n = flow.len();
        let mut leader = vec![false; n + 1];
        leader[0] = true;
        for (i, leaves) in flow.iter().enumerate() {
            match leaves {
                Leaves::Falls => {}
                Leaves::Jumps { to, .. } => {
                    for &t in to {
                        if let Some(l) = leader.get_mut(t as usize) {
                            *l = true;
                        }
                    }
                    leader[i + 1] = true;
                }
                Leaves::Ends { .. } => leader[i + 1] = true,
            }
        }
        let mut starts = Vec::new();
        let mut of = Vec::with_capacity(n);
        for (i, &is_leader) in leader.iter().take(n).enumerate() {
            if is_leader {
                starts.push(i as u32);
            }
            of.push(starts.len() - 1);
        }
        let end = starts.len();
        let block_of = |i: usize| of.get(i).copied().unwrap_or(end);
        let next = (0..end)
            .map(|b| {
                let last = starts.get(b + 1).map_or(n, |&s| s as usize) - 1;
                match &flow[last] {
                    Leaves::Falls => vec![block_of(last + 1)],
                    Leaves::Jumps { to, falls } => {
                        let mut all: Vec<usize> = to.iter().map(|&t| block_of(t as usize)).collect();
                        if *falls {
                            all.push(block_of(last + 1));
                        }
                        all
                    }
                    Leaves::Ends { falls: true } => vec![end, block_of(last + 1)],
                    Leaves::Ends { falls: false } => vec![end],
                }
            })
            .collect();
        Blocks { starts, of, next }
    }

    /// Immediate post-dominator of each block, by the iteration of Cooper, Harvey and Kennedy on the reversed graph.
    fn post_dominators(&self) -> Vec<usize> {
        let end = self.starts.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
        for (b, next) in self.next.iter().enumerate() {
            for &s in next {
                before[s].push(b);
            }
        }
        // Post-order of the reversed graph, from the end, without recursion.
        let mut order = Vec::with_capacity(end + 1);
        let mut rank = vec![usize::MAX; end + 1];
        let mut seen = vec![false; end + 1];
        let mut stack = vec![(end, 0usize)];
        seen[end] = true;
        while let Some((b, i)) = stack.pop() {
            match before[b].get(i) {
                Some(&p) => {
                    stack.push((b, i + 1));
                    if !seen[p] {
                        seen[p] = true;
                        stack.push((p, 0));
                    }
                }
                None => {
                    rank[b] = order.len();
                    order.push(b);
                }
            }
        }
        let mut post = vec![usize::MAX; end + 1];
        post[end] = end;
        let mut changed = true;
        while changed {
            changed = false;
            for &b in order.iter().rev().skip(1) {
                let mut meets = usize::MAX;
                for &s in &self.next[b] {
                    if post[s] == usize::MAX {
                        continue;
                    }
                    meets = if meets == usize::MAX { s } else { intersect(meets, s, &post, &rank) };
                }
                if post[b] != meets {
                    post[b] = meets;
                    changed = true;
                }
            }
        }
        post
    }
}

fn intersect(mut a: usize, mut b: usize, post: &[usize], rank: &[usize]) -> usize {
    while a != b {
        while rank[a] < rank[b] {
            a = post[a];
        }
        while rank[b] < rank[a] {
            b = post[b];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jump(to: u32) -> Leaves {
        Leaves::Jumps { to: vec![to], falls: true }
    }

    #[test]
    fn ways_meet() {
        // if: 0 jumps over 1 to 2; 3 ends.
        let flow = [jump(2), Leaves::Falls, Leaves::Falls, Leaves::Ends { falls: false }];
        assert_eq!(meeting_points(&flow)[0], 2);
        // if-else: 0 -> 3 or 1; 2 jumps to 4.
        let flow = [
            jump(3),
            Leaves::Falls,
            Leaves::Jumps { to: vec![4], falls: false },
            Leaves::Falls,
            Leaves::Ends { falls: false },
        ];
        assert_eq!(meeting_points(&flow)[0], 4);
        // loop: 1 jumps back to 0; meets behind.
        let flow = [Leaves::Falls, jump(0), Leaves::Ends { falls: false }];
        assert_eq!(meeting_points(&flow)[1], 2);
        // One way ends: nowhere.
        let flow = [jump(2), Leaves::Ends { falls: false }, Leaves::Ends { falls: false }];
        assert_eq!(meeting_points(&flow)[0], NOWHERE);
        // A predicated end in between does not hide the meeting point of an outer branch.
        let flow = [jump(3), Leaves::Ends { falls: true }, Leaves::Falls, Leaves::Ends { falls: false }];
        assert_eq!(meeting_points(&flow)[0], NOWHERE);
        // A loop without an end.
        let flow = [Leaves::Falls, Leaves::Jumps { to: vec![0], falls: false }];
        assert_eq!(meeting_points(&flow)[1], NOWHERE);
    }
}
