//! The barrier object against the table of its bits: the engine counts with shifts of its own, for speed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use proptest::prelude::*;
use tilehaul_descriptor::nvidia::MbarrierWord;
use tilehaul_engine::mbarrier::{Mbarrier, MbarrierFault, MbarrierLayout};

/// Bit 42, which is 0 in every object.
const ZERO_BIT: u64 = 1 << 42;

fn same(object: Mbarrier) -> Result<(), TestCaseError> {
    let word = MbarrierWord::decode(object.0);
    prop_assert_eq!(u8::from(object.phase()), word.phase);
    prop_assert_eq!(object.pending(), word.pending);
    prop_assert_eq!(object.expected(), word.expected);
    prop_assert_eq!(object.tx_count(), i64::from(word.tx_count));
    prop_assert_eq!(object.layout() == MbarrierLayout::V1, word.layout == 1);
    Ok(())
}

#[derive(Clone, Debug)]
enum Step {
    Arrive(u32),
    Drop(u32),
    Expect(u32),
    Complete(u32),
    Pending(u32),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..4u32).prop_map(Step::Arrive),
        (0..2u32).prop_map(Step::Drop),
        (0..1u32 << 20).prop_map(Step::Expect),
        (0..1u32 << 20).prop_map(Step::Complete),
        (0..4u32).prop_map(Step::Pending),
    ]
}

proptest! {
    #[test]
    fn any_word_has_the_fields_that_the_table_says(bits: u64) {
        same(Mbarrier(bits & !ZERO_BIT))?;
    }

    #[test]
    fn what_the_table_encodes_is_what_init_writes(count in 1..1u32 << 20) {
        let word = MbarrierWord::init(count).encode().unwrap();
        prop_assert_eq!(Mbarrier::init(count, MbarrierLayout::V0).0, word);
    }

    #[test]
    fn every_operation_leaves_an_object_of_the_table(
        count in 1..64u32,
        steps in proptest::collection::vec(step(), 0..40),
    ) {
        let mut object = Mbarrier::init(count, MbarrierLayout::V0);
        for step in steps {
            let before = object;
            let done = match step {
                Step::Arrive(n) => object.arrive(n).map(|_| ()),
                Step::Drop(n) => object.arrive_drop(n).map(|_| ()),
                Step::Expect(n) => object.expect_tx(n),
                Step::Complete(n) => object.complete_tx(n),
                Step::Pending(n) => object.add_pending(n),
            };
            if done.is_err() {
                object = before;
            }
            same(object)?;
            prop_assert_eq!(object.0 & ZERO_BIT, 0);
            prop_assert_eq!(MbarrierWord::decode(object.0).encode(), Some(object.0));
        }
    }

    #[test]
    fn no_count_overflows(count in 1..1u32 << 20, more: u32) {
        let mut object = Mbarrier::init(count, MbarrierLayout::V0);
        let full = matches!(object.add_pending(more), Err(MbarrierFault::OverArrive { .. }));
        prop_assert_eq!(full, u64::from(count) + u64::from(more) >= 1 << 20);
    }
}
