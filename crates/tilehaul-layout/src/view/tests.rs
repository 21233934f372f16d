use super::*;
use crate::strided::{Iter, iter};
use proptest::prelude::*;

fn layout_b() -> View {
    let layout =
        Layout::of(vec![iter(64, 1, Axis::TLane), iter(2, 64, Axis::TLane), iter(64, 1, Axis::TCol)])
            .unwrap();
    View::strided(layout, &[64, 128], vec![]).unwrap()
}

#[test]
fn layout_b_is_where_the_seed_says() {
    let view = layout_b();
    for i in 0..64u64 {
        for j in 0..128u64 {
            let n = view.number(&[i, j]).unwrap();
            let place = Place(vec![(Axis::TLane, (i + 64 * (j / 64)) as i64), (Axis::TCol, (j % 64) as i64)]);
            assert_eq!(view.places(n), [place]);
        }
    }
    let held = view.elements_at(&[(Axis::TLane, 69), (Axis::TCol, 6)], 10).unwrap();
    assert_eq!(held, [[5, 70]]);
    assert!(view.elements_at(&[(Axis::Bank, 0)], 1).is_err());
    assert!(view.number(&[64, 0]).is_err());
}

#[test]
fn spellings_of_threads_are_equal() {
    let split =
        Layout::of(vec![iter(4, 1, Axis::WidInWg), iter(32, 1, Axis::LaneId), iter(8, 1, Axis::Memory)])
            .unwrap();
    let whole = Layout::of(vec![iter(128, 1, Axis::TidInWg), iter(8, 1, Axis::Memory)]).unwrap();
    let moved = Layout::of(vec![iter(128, 1, Axis::TidInWg), iter(8, 2, Axis::Memory)]).unwrap();
    let view = |l| View::strided(l, &[128, 8], vec![]).unwrap();
    assert!(view(split.clone()).same_as(&view(whole.clone())).unwrap());
    let d = view(split).difference(&view(moved)).unwrap().unwrap();
    assert_eq!((d.element, d.count), (vec![0, 1], 128 * 7));
}

#[test]
fn replicas_are_compared_as_sets() {
    let one = Layout::new(vec![iter(2, 1, Axis::Memory)], vec![iter(4, 32, Axis::TLane)], &[]).unwrap();
    let two = Layout::new(
        vec![iter(2, 1, Axis::Memory)],
        vec![iter(2, 32, Axis::TLane), iter(2, 64, Axis::TLane)],
        &[],
    )
    .unwrap();
    let view = |l| View::strided(l, &[2], vec![]).unwrap();
    assert!(view(one.clone()).same_as(&view(two)).unwrap());
    assert_eq!(view(one.clone()).places(1).len(), 4);
    let bits = view(one.clone()).bits().unwrap();
    let linear = View::linear(bits.0, bits.1, &[2], vec![]).unwrap();
    assert!(linear.same_as(&view(one)).unwrap());
}

#[test]
fn swizzled_views_have_bits() {
    let rows = View::strided(
        Layout::row_major(&[8, 64]).unwrap(),
        &[8, 64],
        vec![Finish::swizzle(3, 3, 3).unwrap()],
    )
    .unwrap();
    let (map, replicas) = rows.bits().unwrap();
    for n in 0..512 {
        assert_eq!(map.output_part(map.apply(n), Axis::Memory) as i64, rows.at(n, Axis::Memory));
    }
    let linear = View::linear(map, replicas, &[8, 64], vec![]).unwrap();
    assert!(linear.same_as(&rows).unwrap());
    assert!(linear.layout().is_err());
    let padded = View::strided(
        Layout::row_major(&[8, 64]).unwrap(),
        &[8, 64],
        vec![Finish::pad(vec![(64, 8)]).unwrap()],
    )
    .unwrap();
    assert_eq!(padded.at(64, Axis::Memory), 72);
    assert!(padded.bits().is_err());
}

proptest! {
    #[test]
    fn slices_agree_with_brute_force(
        dims in prop::collection::vec(prop::collection::vec(prop::sample::select(vec![1u64, 2, 3, 4]), 1..3), 1..4),
        strides in prop::collection::vec(-20i64..100, 12),
        cuts in prop::collection::vec((0u64..16, 1u64..16), 4),
    ) {
        let mut next = strides.into_iter().cycle();
        let shard: Vec<Iter> = dims.iter().flatten().map(|&e| iter(e, next.next().unwrap(), Axis::TCol)).collect();
        let shape: Vec<u64> = dims.iter().map(|d| d.iter().product()).collect();
        let view = View::strided(Layout::of(shard).unwrap(), &shape, vec![]).unwrap();
        let region: Vec<(u64, u64)> = shape.iter().zip(&cuts).map(|(&e, &(b, n))| {
            let begin = b % e;
            (begin, n.min(e - begin))
        }).collect();
        if let Ok(part) = view.slice(&region) {
            for n in 0..part.size() {
                let inner = part.element(n);
                let outer: Vec<u64> = inner.iter().zip(&region).map(|(x, r)| x + r.0).collect();
                prop_assert_eq!(part.at(n, Axis::TCol), view.at(view.number(&outer).unwrap(), Axis::TCol));
            }
        } else {
            prop_assert!(dims.iter().any(|d| d.iter().filter(|&&e| e > 1).count() > 1));
        }
        prop_assert_eq!(view.table(Axis::TCol).unwrap().len() as u64, view.size());
    }
}
