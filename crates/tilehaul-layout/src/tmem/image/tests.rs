use super::*;
use crate::tmem::address::{COLUMNS, Cell, SlabCheck, TmemAddress};

fn all() -> impl Iterator<Item = NativeImage> {
    Shape::ALL.into_iter().flat_map(|shape| {
        shape.nums().flat_map(move |num| {
            [Packing::Plain, Packing::Half16].map(|p| NativeImage::new(shape, num, p).unwrap())
        })
    })
}

/// The closed forms of the vendor-neutral description, written independently of the table.
fn formula(shape: Shape, l: u32, r: u32) -> (u32, u32, u32) {
    match shape {
        Shape::S32x32b => (0, l, r),
        Shape::S16x64b => (0, l / 4 + 8 * (l % 2), (l / 2) % 2 + 2 * r),
        Shape::S16x128b => (0, l / 4 + 8 * (r % 2), l % 4 + 4 * (r / 2)),
        Shape::S16x256b => (0, l / 4 + 8 * ((r / 2) % 2), r % 2 + 2 * (l % 4) + 8 * (r / 4)),
        Shape::S16x32bx2 => (l / 16, l % 16, r),
    }
}

#[test]
fn every_form_follows_its_formula_and_its_inverse() {
    let mut forms = 0;
    for image in all() {
        forms += 1;
        let mut seen = vec![false; (image.accesses() * image.rows() * image.columns()) as usize];
        for lane in 0..32 {
            for register in 0..image.registers() {
                assert_eq!(image.coordinate(lane, register), Some(formula(image.shape(), lane, register)));
                for part in 0..image.packing().parts() {
                    let at = image.part(lane, register, part).unwrap();
                    let owner = image.owner(at.access, at.row, at.column).unwrap();
                    assert_eq!(owner, Owner { lane, register, part }, "{image}");
                    let index = (at.access * image.rows() + at.row) * image.columns() + at.column;
                    assert!(!std::mem::replace(&mut seen[index as usize], true));
                }
            }
        }
        assert!(seen.into_iter().all(|s| s), "{image} leaves cells out");
    }
    assert_eq!(forms, 74);
}

#[test]
fn golden_points() {
    let image = |shape, num, packing| NativeImage::new(shape, num, packing).unwrap();
    let plain = [
        (Shape::S32x32b, 4, 17, 3, 17, 3),
        (Shape::S16x64b, 2, 0, 0, 0, 0),
        (Shape::S16x64b, 2, 1, 0, 8, 0),
        (Shape::S16x64b, 2, 2, 0, 0, 1),
        (Shape::S16x64b, 2, 3, 0, 8, 1),
        (Shape::S16x64b, 2, 4, 0, 1, 0),
        (Shape::S16x64b, 2, 31, 1, 15, 3),
        (Shape::S16x128b, 2, 5, 1, 9, 1),
        (Shape::S16x128b, 2, 3, 2, 0, 7),
        (Shape::S16x128b, 2, 31, 3, 15, 7),
        (Shape::S16x256b, 2, 0, 1, 0, 1),
        (Shape::S16x256b, 2, 0, 2, 8, 0),
        (Shape::S16x256b, 2, 1, 0, 0, 2),
        (Shape::S16x256b, 2, 4, 0, 1, 0),
        (Shape::S16x256b, 2, 0, 4, 0, 8),
        (Shape::S16x256b, 2, 31, 6, 15, 14),
        (Shape::S16x256b, 2, 31, 7, 15, 15),
    ];
    for (shape, num, lane, register, row, column) in plain {
        let image = image(shape, num, Packing::Plain);
        assert_eq!(image.coordinate(lane, register), Some((0, row, column)));
    }
    let split = image(Shape::S16x32bx2, 4, Packing::Plain);
    let placed = split.place(TmemAddress::new(0, 0), Some((16 << 16) + 8), 0, SlabCheck::Strict).unwrap();
    assert_eq!(placed.cell(3, 2, 0).unwrap().cell, Cell { lane: 3, column: 2 });
    assert_eq!(placed.cell(19, 2, 0).unwrap().cell, Cell { lane: 19, column: 10 });
    let near = split.place(TmemAddress::new(0, 0), Some(4), 0, SlabCheck::Strict).unwrap();
    assert_eq!(near.cell(19, 2, 0).unwrap().cell, Cell { lane: 3, column: 6 });
    let back = split.place(TmemAddress::new(16, 8), Some(-((16 << 16) + 8)), 0, SlabCheck::Strict).unwrap();
    assert_eq!(back.cell(19, 2, 0).unwrap().cell, Cell { lane: 3, column: 2 });
    let packed = image(Shape::S16x64b, 1, Packing::Half16);
    let (low, high) = (packed.part(2, 0, 0).unwrap(), packed.part(2, 0, 1).unwrap());
    assert_eq!((low.row, low.column, low.width, low.register_low), (0, 2, 16, 0));
    assert_eq!((high.row, high.column, high.width, high.register_low), (0, 3, 16, 16));
    let sixteen = image(Shape::S16x64b, 1, Packing::Plain);
    let placed = sixteen.place(TmemAddress::new(16, 0), None, 6, SlabCheck::Route).unwrap();
    assert_eq!(placed.cell(1, 0, 0).unwrap().cell, Cell { lane: 88, column: 0 });
}

#[test]
fn broken_rules_are_told_together() {
    let image = NativeImage::new(Shape::S16x64b, 4, Packing::Plain).unwrap();
    let codes = |r: Result<Placed<'_>, Vec<Diagnostic>>| -> Vec<&'static str> {
        match r {
            Ok(placed) => placed.hints.iter().map(|d| d.code.0).collect(),
            Err(told) => told.iter().map(|d| d.code.0).collect(),
        }
    };
    let at = TmemAddress::new(40, 508);
    assert_eq!(
        codes(image.place(at, None, 0, SlabCheck::Strict)),
        ["tmem-lane-alignment", "tmem-column-bounds", "tmem-warp-owner"]
    );
    assert_eq!(
        codes(image.place(TmemAddress::new(32, 0), None, 0, SlabCheck::Route)),
        ["tmem-warp-owner-ignored"]
    );
    assert!(codes(image.place(TmemAddress::new(0, 0), None, 3, SlabCheck::Route)).is_empty());
    assert_eq!(
        codes(image.place(TmemAddress::new(0, 0), Some(4), 0, SlabCheck::Route)),
        ["tmem-split-immediate"]
    );
    assert_eq!(NativeImage::new(Shape::S16x256b, 64, Packing::Plain).unwrap_err().code.0, "tmem-shape-num");
    assert_eq!(NativeImage::new(Shape::S32x32b, 3, Packing::Plain).unwrap_err().code.0, "tmem-shape-num");
    assert_eq!(NativeImage::new(Shape::S32x32b, 0, Packing::Plain).unwrap_err().code.0, "tmem-shape-num");
    let split = NativeImage::new(Shape::S16x32bx2, 4, Packing::Half16).unwrap();
    let overlap = split.place(TmemAddress::new(0, 0), Some(4), 0, SlabCheck::Route).unwrap();
    assert_eq!(overlap.check_store().unwrap_err().code.0, "tmem-split-overlap");
    let apart = split.place(TmemAddress::new(0, 0), Some(8), 0, SlabCheck::Route).unwrap();
    assert!(apart.check_store().is_ok());
    assert_eq!(codes(split.place(TmemAddress::new(0, 0), Some(0), 0, SlabCheck::Route)), ["tmem-split-zero"]);
}

#[test]
fn a_placed_image_stays_inside_its_rectangles() {
    for image in all() {
        let split = (image.accesses() == 2).then_some((16 << 16) + 1);
        let start = 511u32.saturating_sub(image.columns());
        let Ok(placed) = image.place(TmemAddress::new(0, start), split, 5, SlabCheck::Route) else {
            panic!("{image} does not fit");
        };
        let mut count = 0;
        for part in placed.parts() {
            count += 1;
            assert!(part.cell.lane / 32 == 1 && part.cell.column < COLUMNS);
            assert!(placed.rectangles().any(|(c, rows, columns)| {
                (c.lane..c.lane + rows).contains(&part.cell.lane)
                    && (c.column..c.column + columns).contains(&part.cell.column)
            }));
        }
        assert_eq!(count, 32 * image.registers() * image.packing().parts());
    }
}
