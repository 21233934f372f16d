//! What a picture shows, as numbers: the same value is drawn in characters and in SVG.

/// What an engine does with elements of a tile that lie outside the tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// A load writes zeros.
    Zeros,
    /// A load writes the NaN pattern.
    Nan,
    /// A store leaves memory alone.
    Dropped,
}

impl Outside {
    /// For legends.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Outside::Zeros => "outside: zeros",
            Outside::Nan => "outside: NaN",
            Outside::Dropped => "outside: dropped",
        }
    }
}

/// The two innermost dimensions of a tensor with a tile on them. Columns are dimension 0, rows dimension 1, in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileInTensor {
    /// Columns and rows that the engine takes for inside.
    pub extent: [u64; 2],
    /// Elements from one row to the next; what exceeds the extent is a gap between rows.
    pub pitch: u64,
    /// Columns and rows of the tile.
    pub tile: [u64; 2],
    /// Column and row where the tile begins; may be negative.
    pub start: [i64; 2],
    /// What happens outside.
    pub outside: Outside,
    /// Name of the element type, or its size.
    pub element: String,
    /// Dimensions above the two that are drawn.
    pub beyond: u32,
}

/// What one element of the plane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Tile and tensor.
    Inside,
    /// Tile, but not tensor.
    Outside,
    /// Tensor only.
    Tensor,
    /// Memory between rows.
    Gap,
    /// Neither.
    Nothing,
}

impl TileInTensor {
    /// What a picture of rows side by side cannot show, as sentences.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let mut told = Vec::new();
        if self.tile.contains(&0) {
            told.push("the tile is empty: nothing is copied".to_owned());
        } else if self.extent.contains(&0) {
            told.push("the tensor is empty: all of the tile lies outside".to_owned());
        } else if (0..2).any(|d| {
            let end = i128::from(self.start[d]) + i128::from(self.tile[d]);
            end <= 0 || i128::from(self.start[d]) >= i128::from(self.extent[d])
        }) {
            told.push("the tile lies outside the tensor".to_owned());
        }
        if self.extent[1] > 1 && self.pitch == 0 {
            told.push("stride 0: every row is the same bytes".to_owned());
        } else if self.extent[1] > 1 && self.pitch < self.extent[0] {
            told.push(format!(
                "stride {} is less than the {} elements of a row: rows overlap in memory",
                self.pitch, self.extent[0]
            ));
        }
        match self.beyond {
            0 => {}
            1 => told.push("dimensions 0 and 1 are drawn, dimension 2 is not".to_owned()),
            more => told.push(format!("dimensions 0 and 1 are drawn, {more} more are not")),
        }
        told
    }

    /// What lies at a column and a row.
    #[must_use]
    pub fn cell(&self, column: i64, row: i64) -> Cell {
        let within = |at: i64, start: i64, size: u64| {
            at >= start && u64::try_from(at - start).is_ok_and(|offset| offset < size)
        };
        let tile = within(column, self.start[0], self.tile[0]) && within(row, self.start[1], self.tile[1]);
        let rows = within(row, 0, self.extent[1]);
        let tensor = rows && within(column, 0, self.extent[0]);
        match (tile, tensor) {
            (true, true) => Cell::Inside,
            (true, false) => Cell::Outside,
            (false, true) => Cell::Tensor,
            (false, false) if rows && within(column, 0, self.pitch) => Cell::Gap,
            (false, false) => Cell::Nothing,
        }
    }

    /// Columns and rows that hold tensor and tile: the first and one past the last of each.
    #[must_use]
    pub fn bounds(&self) -> [(i64, i64); 2] {
        [0, 1].map(|d| {
            let end = |start: i64, size: u64| start.saturating_add(i64::try_from(size).unwrap_or(i64::MAX));
            let width = if d == 0 { self.extent[0].max(self.pitch) } else { self.extent[1] };
            (self.start[d].min(0), end(self.start[d], self.tile[d]).max(end(0, width)))
        })
    }
}
