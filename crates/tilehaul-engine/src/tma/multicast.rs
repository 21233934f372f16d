//! Which CTAs of a cluster a copy reaches.
//!
//! With multicast the instruction's own destination CTA does not count, only the mask; each CTA of the mask gets the
//! data at the same offset and the full byte count on its own barrier of the same offset. Without multicast the data
//! goes to the CTA of the destination address and so does the signal: the CTA bits of the barrier operand are ignored.
//! hardware: h200 facts 89 to 92.

use super::TmaFault;

/// The cluster of the issuing CTA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cluster {
    /// The launch has no cluster dimensions.
    None,
    /// The launch has clusters of this many CTAs (1 is a cluster too).
    Of(u32),
}

/// The ranks that a multicast reaches, lowest first; none for mask 0, which copies nothing and signals nothing.
///
/// # Errors
/// When the mask names a CTA that does not exist. Without a cluster only the masks 0 and 1 are taken.
pub fn multicast(mask: u16, cluster: Cluster) -> Result<Vec<u32>, TmaFault> {
    let size = match cluster {
        Cluster::None if mask > 1 => {
            return Err(TmaFault::NeedsCluster { what: "a multicast to other CTAs" });
        }
        Cluster::None => 1,
        Cluster::Of(size) => size,
    };
    let ranks: Vec<u32> = (0..16).filter(|rank| mask >> rank & 1 == 1).collect();
    match ranks.iter().find(|&&rank| rank >= size) {
        Some(&rank) => Err(TmaFault::BeyondCluster { rank, size }),
        None => Ok(ranks),
    }
}

/// Checks a destination in another CTA's shared memory.
///
/// # Errors
/// When the cluster has no CTA of that rank.
pub fn destination(rank: u32, cluster: Cluster) -> Result<(), TmaFault> {
    let size = match cluster {
        Cluster::None => 1,
        Cluster::Of(size) => size,
    };
    if rank < size { Ok(()) } else { Err(TmaFault::BeyondCluster { rank, size }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_checked_against_the_cluster() {
        assert_eq!(multicast(0b1010, Cluster::Of(4)), Ok(vec![1, 3]));
        assert_eq!(multicast(0, Cluster::None), Ok(vec![]));
        assert_eq!(multicast(1, Cluster::None), Ok(vec![0]));
        assert_eq!(multicast(2, Cluster::None).unwrap_err().cuda_error(), 715);
        assert_eq!(multicast(0x8001, Cluster::Of(2)).unwrap_err().cuda_error(), 719);
        assert_eq!(multicast(2, Cluster::Of(1)).unwrap_err().cuda_error(), 719);
    }
}
