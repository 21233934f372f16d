use proptest::prelude::*;
use tilehaul_descriptor::amd::tdm::{FieldValue, IndexSize, TdmContext, judge_tdm_fields};

use super::*;
use crate::{PlanBytes, Region, SegmentKind};

const BEHAVIOUR: &str = include_str!("../../../../cases/tdm/behaviour.toml");
const BASE: u64 = 0x1000;
const OLD: u8 = 0xcc;

fn value(v: &toml::Value) -> FieldValue {
    match v {
        toml::Value::Integer(n) => FieldValue::Int((*n).into()),
        toml::Value::Boolean(b) => FieldValue::Flag(*b),
        toml::Value::Array(a) => FieldValue::List(a.iter().map(|n| n.as_integer().unwrap().into()).collect()),
        other => panic!("no field value: {other:?}"),
    }
}

fn descriptor_of(case: &toml::Value, start: u64) -> TdmDescriptor {
    if let Some(words) = case.get("words") {
        let words: Vec<u32> =
            words.as_array().unwrap().iter().map(|n| n.as_integer().unwrap() as u32).collect();
        return TdmDescriptor::from_words(&words).unwrap();
    }
    let mut fields: Vec<(String, FieldValue)> =
        case["fields"].as_table().unwrap().iter().map(|(name, v)| (name.clone(), value(v))).collect();
    let size = case["fields"]["data_size_bytes"].as_integer().unwrap() as u64;
    fields.push(("global_addr".to_owned(), FieldValue::Int((BASE + start * size).into())));
    let (descriptor, told) = judge_tdm_fields(&fields, None, &TdmContext::default());
    descriptor.unwrap_or_else(|| panic!("{told:?}"))
}

/// `count` elements that count up from 0.
fn iota(size: u64, count: u64) -> Vec<u8> {
    (0..count).flat_map(|n| n.to_le_bytes()[..size as usize].to_vec()).collect()
}

fn run_both(descriptor: &TdmDescriptor, direction: Direction, size: u64) -> (Vec<u8>, TdmOutcome) {
    let outcome = plan(descriptor, direction, &TdmSurroundings::default(), &TdmSwitches::default()).unwrap();
    let other = iota(size, 1024);
    let mut lds = Region::new(0, vec![OLD; 8192]);
    let mut global = Region::new(BASE, vec![OLD; 8192]);
    let Some(transfer) = &outcome.plan else {
        return (vec![OLD; 8192], outcome);
    };
    match direction {
        Direction::Load => transfer.run(&Region::new(BASE, other), &mut lds).unwrap(),
        Direction::Store => transfer.run(&Region::new(0, other), &mut global).unwrap(),
    }
    (if direction == Direction::Load { lds.data } else { global.data }, outcome)
}

#[test]
fn every_behaviour_comes_out_as_written() {
    let file: toml::Value = toml::from_str(BEHAVIOUR).unwrap();
    let cases = file["case"].as_array().unwrap();
    assert!(cases.len() >= 35);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let int = |key: &str| case.get(key).map_or(0, |n| n.as_integer().unwrap() as u64);
        let descriptor = descriptor_of(case, int("start"));
        let direction = if case["op"].as_str() == Some("load") { Direction::Load } else { Direction::Store };
        if let Some(code) = case.get("refused") {
            let told = plan(&descriptor, direction, &TdmSurroundings::default(), &TdmSwitches::default());
            let told = told.expect_err(name);
            assert!(told.iter().any(|d| d.code.0 == code.as_str().unwrap()), "{name}: {told:?}");
            continue;
        }
        let size = descriptor.fields().data_size_bytes;
        let (got, outcome) = run_both(&descriptor, direction, size);
        let from = (int("from") * size) as usize;
        for (i, want) in case["gives"].as_array().unwrap().iter().enumerate() {
            let at = from + i * size as usize;
            let got = &got[at..at + size as usize];
            let want = want.as_integer().unwrap();
            let want = if want < 0 {
                vec![OLD; size as usize]
            } else {
                want.to_le_bytes()[..size as usize].to_vec()
            };
            assert_eq!(got, want, "{name}: element {i}");
        }
        if let Some(arrives) = case.get("barrier") {
            assert_eq!(outcome.barrier.is_some(), arrives.as_bool().unwrap(), "{name}");
        }
    }
}

#[test]
fn rows_past_the_allocation_are_reported_once_and_the_rest_still_lands() {
    let fields = TdmFields { tensor_dim: [16, 8, 0, 0, 0], ..simple([16, 8, 0, 0, 0], [16, 0, 0, 0]) };
    let around = TdmSurroundings { lds_bytes: 256, ..TdmSurroundings::default() };
    let outcome = plan(&fields.encode().unwrap(), Direction::Load, &around, &TdmSwitches::default()).unwrap();
    assert_eq!(outcome.violation, Some(LdsViolation { needs: 512, has: 256 }));
    let mut lds = Region::new(0, vec![OLD; 256]);
    outcome.plan.unwrap().run(&Region::new(BASE, iota(4, 1024)), &mut lds).unwrap();
    assert_eq!(lds.data, iota(4, 64));
    // The same tile with only its first rows in extent needs no byte past the allocation.
    let fields = TdmFields { tensor_dim: [16, 4, 0, 0, 0], ..fields };
    for direction in [Direction::Load, Direction::Store] {
        let outcome = plan(&fields.encode().unwrap(), direction, &around, &TdmSwitches::default()).unwrap();
        assert_eq!(outcome.violation, None);
    }
}

#[test]
fn a_gap_that_would_run_past_the_allocation_is_left_out() {
    let padding = Some(Padding { interval_dwords: 4, amount_dwords: 4 });
    let fields = TdmFields { padding, ..simple([10, 1, 0, 0, 0], [10, 0, 0, 0]) };
    let around = TdmSurroundings { lds_bytes: 60, ..TdmSurroundings::default() };
    let outcome = plan(&fields.encode().unwrap(), Direction::Load, &around, &TdmSwitches::default()).unwrap();
    assert!(outcome.pads_ignored && outcome.violation.is_none());
    let places: Vec<(u64, u64)> = outcome.plan.unwrap().segments().iter().map(|s| (s.dst, s.len)).collect();
    assert_eq!(places, [(0, 16), (32, 24)], "the second gap would end at byte 64");
    let made = TdmSwitches { pad_past_lds: PadPastLds::Made, ..TdmSwitches::default() };
    let outcome = plan(&fields.encode().unwrap(), Direction::Load, &around, &made).unwrap();
    assert_eq!(outcome.violation, Some(LdsViolation { needs: 72, has: 60 }));
}

#[test]
fn full_width_rows_are_one_segment_and_padded_rows_one_each() {
    let fields = simple([64, 64, 0, 0, 0], [64, 0, 0, 0]);
    let outcome = plan(
        &fields.encode().unwrap(),
        Direction::Load,
        &TdmSurroundings::default(),
        &TdmSwitches::default(),
    );
    let counted = outcome.unwrap().plan.unwrap().count();
    assert_eq!(counted, PlanBytes { data: 64 * 64 * 4, segments: 1, ..PlanBytes::default() });
    let padding = Some(Padding { interval_dwords: 64, amount_dwords: 4 });
    let fields = TdmFields { padding, ..fields };
    let outcome = plan(
        &fields.encode().unwrap(),
        Direction::Load,
        &TdmSurroundings::default(),
        &TdmSwitches::default(),
    );
    assert_eq!(outcome.unwrap().plan.unwrap().count().segments, 64);
}

#[test]
fn multicast_is_part_of_a_load_only() {
    let fields =
        TdmFields { workgroup_mask: 0xf, early_timeout: true, ..simple([8, 1, 0, 0, 0], [8, 0, 0, 0]) };
    let descriptor = fields.encode().unwrap();
    let outcome =
        |direction, around: TdmSurroundings| plan(&descriptor, direction, &around, &TdmSwitches::default());
    let four = TdmSurroundings { cluster_size: Some(4), ..TdmSurroundings::default() };
    assert_eq!(
        outcome(Direction::Load, four).unwrap().multicast,
        Some(Multicast { mask: 0xf, early_timeout: true })
    );
    assert_eq!(outcome(Direction::Store, four).unwrap().multicast, None);
    assert_eq!(
        outcome(Direction::Load, TdmSurroundings { stepping_a0: true, ..four }).unwrap().multicast,
        None
    );
    let alone = TdmSurroundings { cluster_size: Some(1), ..four };
    assert_eq!(outcome(Direction::Load, alone).unwrap_err()[0].code.0, "tdm-mask-outside-cluster");
}

fn simple(tile_dim: [u16; 5], strides: [u64; 4]) -> TdmFields {
    TdmFields {
        count: 1,
        kind: 2,
        lds_addr: 0,
        global_addr: BASE,
        workgroup_mask: 0,
        data_size_bytes: 4,
        barrier: None,
        early_timeout: false,
        padding: None,
        tensor_dim: tile_dim.map(u32::from),
        tile_dim,
        tensor_dim_stride: strides,
        mode: TdmMode::Dense,
    }
}

/// One element at a time, by the manual's formulas: (global address, LDS offset, in extent) in walk order.
fn by_element(f: &TdmFields, load: bool) -> Vec<(u64, u64, bool)> {
    let e = f.data_size_bytes;
    let pad = |bytes: u64| match f.padding {
        Some(p) if load => {
            bytes + bytes / (u64::from(p.interval_dwords) * 4) * u64::from(p.amount_dwords) * 4
        }
        _ => bytes,
    };
    let mut list = Vec::new();
    if let TdmMode::Gather { .. } = f.mode {
        for (i, &row) in f.rows().iter().enumerate() {
            for x in 0..u64::from(f.tile_dim[0]) {
                let global = f.global_addr + e * (x + u64::from(row) * f.tensor_dim_stride[0]);
                let inside = x < u64::from(f.tensor_dim[0]) && row < f.tensor_dim[1];
                list.push((
                    global,
                    u64::from(f.lds_addr) + pad((i as u64 * u64::from(f.tile_dim[0]) + x) * e),
                    inside,
                ));
            }
        }
        return list;
    }
    let rank = f.rank();
    let t: Vec<u64> = (0..5).map(|d| if d < rank { u64::from(f.tile_dim[d]) } else { 1 }).collect();
    let (passes, lds_inc, global_inc) = match f.mode {
        TdmMode::Iterate { lds_addr_increment, global_addr_increment, passes } => {
            (u64::from(passes), u64::from(lds_addr_increment), global_addr_increment)
        }
        _ => (1, 0, 0),
    };
    for pass in 0..passes {
        let mut origin = [0u64; 5];
        let mut rest = pass * global_inc;
        let mut order: Vec<usize> = (1..rank).filter(|&d| f.tensor_dim[d] > 1).collect();
        order.sort_by_key(|&d| std::cmp::Reverse(f.tensor_dim_stride[d - 1]));
        for d in order {
            origin[d] = rest / f.tensor_dim_stride[d - 1];
            rest %= f.tensor_dim_stride[d - 1];
        }
        origin[0] = rest;
        for n in 0..t.iter().product() {
            let mut x = [0u64; 5];
            let mut left = n;
            for d in 0..5 {
                x[d] = left % t[d];
                left /= t[d];
            }
            let at: u64 =
                x[0] + (1..5).map(|d| x[d] * f.tensor_dim_stride[d - 1]).sum::<u64>() + pass * global_inc;
            let inside = (0..rank).all(|d| origin[d] + x[d] < u64::from(f.tensor_dim[d]));
            list.push((
                f.global_addr + at * e,
                u64::from(f.lds_addr) + pad((n + pass * lds_inc) * e),
                inside,
            ));
        }
    }
    list
}

prop_compose! {
    fn small_fields()(
        size in 0u32..4, lds_words in 0u32..8, rank in 1usize..6, tile in proptest::array::uniform5(1u16..5),
        width in 1u16..40, even: bool, dims in proptest::array::uniform5(0u32..6), wide in 0u32..48,
        gaps in proptest::array::uniform4(0u64..3),
        padding in proptest::option::of((0u32..5, 1u32..9)), mode in 0u8..4,
        rows in proptest::collection::vec(0u32..6, 16), increments in (0u32..80, 0u64..60), passes in 1u32..5,
    ) -> TdmFields {
        let mut f = simple([0; 5], [0; 4]);
        f.data_size_bytes = 1 << size;
        f.lds_addr = lds_words * 4;
        f.padding = padding.map(|(n, amount_dwords)| Padding { interval_dwords: 2 << n, amount_dwords });
        let rank = match mode { 0 | 1 => rank, 2 => 2 + rank % 2, _ => 2 };
        f.tile_dim[..rank].copy_from_slice(&tile[..rank]);
        f.tile_dim[0] = if even { width.next_power_of_two() } else { width };
        f.tensor_dim[..rank].copy_from_slice(&dims[..rank]);
        f.tensor_dim[0] = if even && wide % 2 == 0 { 64 } else { wide };
        let wide = f.tensor_dim[0];
        // Strides that do not overlap, so that every pass has a place in the tensor.
        let mut stride = u64::from(wide).max(1);
        for d in 0..rank - 1 {
            stride += gaps[d];
            f.tensor_dim_stride[d] = stride;
            stride *= u64::from(dims[d + 1]).max(1);
        }
        match mode {
            2 => {
                f.mode = TdmMode::Iterate {
                    lds_addr_increment: increments.0, global_addr_increment: increments.1, passes,
                };
            }
            3 => {
                f.mode = TdmMode::Gather { size: IndexSize::Bits16, indices: rows };
                f.tile_dim[1] = f.tile_dim[1].min(16);
            }
            _ => {}
        }
        f
    }
}

proptest! {
    #[test]
    fn a_plan_moves_what_one_element_at_a_time_would(f in small_fields()) {
        let around = TdmSurroundings { lds_bytes: 1 << 20, ..TdmSurroundings::default() };
        let descriptor = f.encode().unwrap();
        prop_assert_eq!(&descriptor.fields(), &f);
        let e = f.data_size_bytes as usize;
        for direction in [Direction::Load, Direction::Store] {
            let load = direction == Direction::Load;
            let outcome = plan(&descriptor, direction, &around, &TdmSwitches::default()).unwrap();
            let transfer = outcome.plan.unwrap();
            let elements = by_element(&f, load);
            let memory_bytes = 1 << 19;
            let image: Vec<u8> = (0..memory_bytes).map(|n: u32| (n.wrapping_mul(0x9e37_79b1) >> 13) as u8).collect();
            let mut want = vec![OLD; memory_bytes as usize];
            for &(global, lds, inside) in &elements {
                let (global, lds) = ((global - BASE) as usize, lds as usize);
                let (from, to) = if load { (global, lds) } else { (lds, global) };
                match (inside, load) {
                    (true, _) => want[to..to + e].copy_from_slice(&image[from..from + e]),
                    (false, true) => want[to..to + e].fill(0),
                    (false, false) => {}
                }
            }
            let (source, destination) = if load { (BASE, 0) } else { (0, BASE) };
            let source = Region::new(source, image);
            let mut whole = Region::new(destination, vec![OLD; memory_bytes as usize]);
            transfer.run(&source, &mut whole).unwrap();
            prop_assert_eq!(&whole.data, &want);
            // Step by step gives the same bytes and the same counts.
            let mut pieces = Region::new(destination, vec![OLD; memory_bytes as usize]);
            let mut staged = Vec::new();
            let mut counts = [0u64; 3];
            for step in 0..transfer.steps() {
                let _ = transfer.for_each_in(step..step + 1, &mut |s: crate::Segment| {
                    counts[s.kind as usize] += s.len;
                    transfer.sample(&s, &source, &mut staged).unwrap();
                    transfer.land(&s, &staged, &mut pieces).unwrap();
                    std::ops::ControlFlow::Continue(())
                });
            }
            prop_assert_eq!(&pieces.data, &want);
            let inside = elements.iter().filter(|x| x.2).count() * e;
            let outside = elements.len() * e - inside;
            let masked = if load { SegmentKind::Fill } else { SegmentKind::Drop };
            prop_assert_eq!(counts[SegmentKind::Data as usize], inside as u64);
            prop_assert_eq!(counts[masked as usize], outside as u64);
            // The violation is exactly "some in-extent element ends past the allocation".
            let needs = elements.iter().filter(|x| x.2).map(|x| x.1 + e as u64).max();
            let tight = TdmSurroundings { lds_bytes: 100, ..TdmSurroundings::default() };
            let made = TdmSwitches { pad_past_lds: PadPastLds::Made, ..TdmSwitches::default() };
            let violation = plan(&descriptor, direction, &tight, &made).unwrap().violation;
            prop_assert_eq!(violation.map(|v| v.needs), needs.filter(|&n| n > 100));
        }
    }

    /// Two places know the error rules: the one without texts lets nothing through that the other refuses.
    #[test]
    fn what_is_legal_breaks_no_rule(
        words in proptest::collection::vec(prop_oneof![3 => Just(0u32), 1 => 0..20u32, 2 => any::<u32>()], 20),
        word0 in prop::sample::select(vec![0, 1, 2, 0x8000_0001, 0xc000_0001, 0x4000_0001]),
        sane_type: bool, tile0: u16, tile1 in 0..20u16, bits: u16, store: bool,
        cluster in prop::sample::select(vec![None, Some(1u16), Some(4), Some(16), Some(20)]),
        pad_reading in prop::sample::select(vec![PadReading::Biased, PadReading::Raw, PadReading::Strict]),
        type_ignored: bool, long: bool, upper: bool,
    ) {
        let mut words = words;
        words[0] = word0;
        if sane_type {
            words[3] = words[3] & 0x01ff_ffff | 0x8000_0000;
        }
        // Mode bits of group 1, and the lower tile extents.
        words[4] = words[4] & 0xffff | u32::from(bits) << 16;
        words[7] = words[7] & 0xffff | u32::from(tile0) << 16;
        words[8] = words[8] & 0xffff_0000 | u32::from(tile1);
        let descriptor = TdmDescriptor::from_words(if upper { &words } else { &words[..12] }).unwrap();
        let direction = if store { Direction::Store } else { Direction::Load };
        let switches = TdmSwitches {
            pad_reading,
            type_field: if type_ignored { TypeField::Ignored } else { TypeField::default() },
            iterate_count: if long { IterateCount::Sixteen } else { IterateCount::Eight },
            ..TdmSwitches::default()
        };
        let around = TdmSurroundings { cluster_size: cluster, ..TdmSurroundings::default() };
        let fields = descriptor.fields();
        if is_legal(&descriptor, &fields, &around, &switches) {
            prop_assert_eq!(errors(&descriptor, &fields, direction, &around, &switches), vec![]);
        }
    }

    #[test]
    fn any_words_answer_at_once(
        words in proptest::collection::vec(any::<u32>(), 20), sane: bool, store: bool, long: bool, restart: bool,
    ) {
        let mut words = words;
        if sane {
            words[0] = [1, 0x8000_0001, 0xc000_0001][(words[0] % 3) as usize];
            words[3] = (words[3] & 0x01ff_ffff) | 0x8000_0000;
            words[15] &= 0x00ff_ffff;
        }
        let direction = if store { Direction::Store } else { Direction::Load };
        let switches = TdmSwitches {
            iterate_count: if long { IterateCount::Sixteen } else { IterateCount::Eight },
            iterate_padding: if restart { IteratePadding::EachPass } else { IteratePadding::WholeOffset },
            iterate_bounds: if restart { IterateBounds::EachPass } else { IterateBounds::LogicalOrigin },
            type_field: TypeField::Ignored,
            ..TdmSwitches::default()
        };
        let descriptor = TdmDescriptor::from_words(&words).unwrap();
        if let Ok(TdmOutcome { plan: Some(transfer), .. }) =
            plan(&descriptor, direction, &TdmSurroundings::default(), &switches)
        {
            let mut left = 1000;
            let _ = transfer.for_each(&mut |_: crate::Segment| {
                left -= 1;
                if left == 0 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
            });
            let steps = transfer.steps();
            let _ = transfer.for_each_in(steps.saturating_sub(2)..steps, &mut |_: crate::Segment| {
                std::ops::ControlFlow::Continue(())
            });
        }
    }
}
