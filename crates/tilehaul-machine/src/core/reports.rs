//! What an executor or the core has to say beside the events: findings of its own, and meetings that somebody missed.

use tilehaul_diag::{Code, Diagnostic, Level, Source};

use super::Core;
use crate::{PlaceId, Who};

/// Something an executor or the core has to say about a place, beside what the checker finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Who was at work.
    pub who: Who,
    /// What.
    pub diagnostic: Diagnostic,
    /// Other instructions that matter, with a few words on each.
    pub others: Vec<(PlaceId, String)>,
    /// How often it was said, by anybody at this place.
    pub count: u64,
}

/// A request that several blocks of a cluster are to make together.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    /// Who made it first.
    who: Who,
    what: &'static str,
    /// Blocks that are to make it and those that did, by their rank.
    expected: u32,
    came: u32,
}

impl Core {
    /// A block, the `rank`-th of its cluster, makes a request that all blocks of the mask `expected` are to make; `request`
    /// tells it from others. When the run ends, requests that somebody did not make are reported.
    pub fn meet(&mut self, who: Who, what: &'static str, request: u64, rank: u32, expected: u32) {
        let cluster = self.launch.block_info(self.launch.block_of(who.wave)).cluster;
        let meeting =
            self.meetings.entry((cluster, request)).or_insert(Meeting { who, what, expected, came: 0 });
        meeting.came |= 1 << (rank & 31);
    }

    /// Reports requests that not all made whom they expected.
    pub(crate) fn report_unmet(&mut self) {
        for Meeting { who, what, expected, came } in std::mem::take(&mut self.meetings).into_values() {
            let absent: Vec<String> =
                (0..32).filter(|r| (expected & !came) >> r & 1 == 1).map(|r| r.to_string()).collect();
            if absent.is_empty() {
                continue;
            }
            let message = format!(
                "block {} of the cluster never makes the {what} that the mask {expected:#x} of {} expects of it: the rendezvous ends by \
                 its timeout",
                absent.join(" and "),
                who.wave
            );
            let unmet = Diagnostic::new(Code("multicast-partner-missing"), Level::Warning, message)
                .fix("Let every block of the mask issue the same load, or leave its bit out of the mask.")
                .source(Source::manual(
                    "CDNA5 ISA 10.7, multicast: every block of the mask makes the same request",
                ));
            self.report(who, unmet);
        }
    }

    /// Says something about a place; once a place and code however often it is said.
    pub fn report(&mut self, who: Who, diagnostic: Diagnostic) {
        self.report_with(who, diagnostic, Vec::new());
    }

    /// The same, with other instructions that matter.
    pub fn report_with(&mut self, who: Who, diagnostic: Diagnostic, others: Vec<(PlaceId, String)>) {
        let key = (diagnostic.code, who.place);
        self.reports.entry(key).or_insert(Report { who, diagnostic, others, count: 0 }).count += 1;
    }
}
