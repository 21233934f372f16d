//! Launch geometry: grid, clusters, blocks, waves.

use tilehaul_diag::{Code, Diagnostic, Level};

use crate::{BlockId, ClusterId, LaneMask, WaveId};

/// Most waves a launch may have, so that a hostile launch file cannot ask for unbounded memory.
pub const MAX_WAVES: u64 = 1 << 22;

/// Shape of a launch. Sizes are counts, x first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Blocks in each direction.
    pub grid: [u32; 3],
    /// Threads (work items) of a block in each direction.
    pub block: [u32; 3],
    /// Blocks of a cluster in each direction; `[1, 1, 1]` without clusters.
    pub cluster: [u32; 3],
    /// True when the launch or the kernel asks for clusters, be they of one block.
    pub clustered: bool,
    /// Lanes of a wave: 32 or 64.
    pub wave_size: u32,
    /// Bytes of shared memory (LDS) of each block, static and dynamic together.
    pub shared_bytes: u32,
    /// True when the lanes of a wave act in lockstep, so that one lane's accesses are ordered before another lane's
    /// later ones (AMD); false when each lane is a thread of its own (NVIDIA since sm_70).
    pub lockstep: bool,
    /// Blocks of it that the largest chip of its target holds at a time ([`crate::Chip::holds`]); none where that is not
    /// known.
    pub holds: Option<u32>,
}

/// One block of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockInfo {
    /// Linear number in the grid, x fastest.
    pub id: BlockId,
    /// Position in the grid.
    pub position: [u32; 3],
    /// Its cluster.
    pub cluster: ClusterId,
    /// Linear number in its cluster, x fastest.
    pub rank: u32,
    /// Position in its cluster.
    pub rank_position: [u32; 3],
}

/// One wave of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaveInfo {
    /// Number in the launch.
    pub id: WaveId,
    /// Its block.
    pub block: BlockInfo,
    /// Number in its block.
    pub number: u32,
    /// Lanes that hold a thread of the block.
    pub lanes: LaneMask,
}

impl Launch {
    /// A launch without clusters and without shared memory.
    #[must_use]
    pub fn new(grid: [u32; 3], block: [u32; 3], wave_size: u32) -> Launch {
        let lockstep = false;
        Launch {
            grid,
            block,
            cluster: [1, 1, 1],
            clustered: false,
            wave_size,
            shared_bytes: 0,
            lockstep,
            holds: None,
        }
    }

    /// Checks that the numbers fit together.
    ///
    /// # Errors
    /// A size is zero, the grid is no multiple of the cluster, or the launch is larger than [`MAX_WAVES`].
    pub fn check(&self) -> Result<(), Box<Diagnostic>> {
        let bad =
            |message: String| Err(Box::new(Diagnostic::new(Code("launch-shape"), Level::Error, message)));
        for (name, size) in [("grid", self.grid), ("block", self.block), ("cluster", self.cluster)] {
            if size.contains(&0) {
                return bad(format!("{name} = {size:?} has a zero: every direction needs at least 1"));
            }
        }
        if (0..3).any(|d| !self.grid[d].is_multiple_of(self.cluster[d])) {
            let (grid, cluster) = (self.grid, self.cluster);
            return bad(format!(
                "grid = {grid:?} is no multiple of cluster = {cluster:?} in every direction"
            ));
        }
        let threads = product(self.block);
        if threads > 1024 {
            return bad(format!("block = {:?} has {threads} threads, at most 1024 are possible", self.block));
        }
        if self.wave_size != 32 && self.wave_size != 64 {
            return bad(format!("a wave of {} lanes: 32 and 64 exist", self.wave_size));
        }
        let waves = product(self.grid).saturating_mul(u64::from(self.waves_per_block()));
        if waves > MAX_WAVES {
            return bad(format!("grid = {:?} makes {waves} waves, at most {MAX_WAVES} are run", self.grid));
        }
        Ok(())
    }

    /// Threads of a block.
    #[must_use]
    pub fn threads(&self) -> u32 {
        product(self.block) as u32
    }

    /// Waves of a block.
    #[must_use]
    pub fn waves_per_block(&self) -> u32 {
        self.threads().div_ceil(self.wave_size)
    }

    /// Blocks of the grid.
    #[must_use]
    pub fn blocks(&self) -> u32 {
        product(self.grid) as u32
    }

    /// Blocks of a cluster.
    #[must_use]
    pub fn cluster_size(&self) -> u32 {
        product(self.cluster) as u32
    }

    /// Clusters of the grid.
    #[must_use]
    pub fn clusters(&self) -> u32 {
        self.blocks() / self.cluster_size()
    }

    /// The block of a wave.
    #[must_use]
    pub fn block_of(&self, wave: WaveId) -> BlockId {
        BlockId(wave.0 / self.waves_per_block())
    }

    /// The first wave of a block; the others follow.
    #[must_use]
    pub fn first_wave(&self, block: BlockId) -> WaveId {
        WaveId(block.0 * self.waves_per_block())
    }

    /// Where a block lies.
    #[must_use]
    pub fn block_info(&self, id: BlockId) -> BlockInfo {
        let [gx, gy, _] = self.grid;
        let position = [id.0 % gx, id.0 / gx % gy, id.0 / gx / gy];
        let [cx, cy, _] = self.cluster;
        let rank_position = [0, 1, 2].map(|d| position[d] % self.cluster[d]);
        let c = [0, 1, 2].map(|d| position[d] / self.cluster[d]);
        let (nx, ny) = (gx / cx, gy / cy);
        BlockInfo {
            id,
            position,
            cluster: ClusterId(c[0] + nx * (c[1] + ny * c[2])),
            rank: rank_position[0] + cx * (rank_position[1] + cy * rank_position[2]),
            rank_position,
        }
    }

    /// The block with this rank in a cluster; none when the rank is too high.
    #[must_use]
    pub fn block_at(&self, cluster: ClusterId, rank: u32) -> Option<BlockId> {
        if rank >= self.cluster_size() || cluster.0 >= self.clusters() {
            return None;
        }
        let [cx, cy, cz] = self.cluster;
        let (nx, ny) = (self.grid[0] / cx, self.grid[1] / cy);
        let x = cluster.0 % nx * cx + rank % cx;
        let y = cluster.0 / nx % ny * cy + rank / cx % cy;
        let z = cluster.0 / nx / ny * cz + rank / cx / cy;
        Some(BlockId(x + self.grid[0] * (y + self.grid[1] * z)))
    }

    /// What a wave is.
    #[must_use]
    pub fn wave_info(&self, id: WaveId) -> WaveInfo {
        let per_block = self.waves_per_block();
        let number = id.0 % per_block;
        let left = self.threads() - number * self.wave_size;
        let lanes = LaneMask::first(left.min(self.wave_size));
        WaveInfo { id, block: self.block_info(BlockId(id.0 / per_block)), number, lanes }
    }
}

fn product(size: [u32; 3]) -> u64 {
    size.iter().fold(1u64, |n, &d| n.saturating_mul(u64::from(d)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_clusters_go_round() {
        let launch = Launch { cluster: [2, 3, 1], ..Launch::new([4, 6, 2], [100, 1, 1], 32) };
        assert!(launch.check().is_ok());
        for b in 0..launch.blocks() {
            let info = launch.block_info(BlockId(b));
            assert_eq!(launch.block_at(info.cluster, info.rank), Some(BlockId(b)));
        }
        assert_eq!(launch.waves_per_block(), 4);
        assert_eq!(launch.wave_info(WaveId(3)).lanes, LaneMask::first(4));
        assert!(Launch { cluster: [3, 1, 1], ..launch }.check().is_err());
    }
}
