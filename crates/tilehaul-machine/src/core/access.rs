//! Loads, stores and atomics: what executors do to memory.

use tilehaul_diag::{Code, Diagnostic, Level};

use super::{Core, Trap};
use crate::{Access, AccessKind, ChannelKind, Event, LaneMask, Proxy, Space, Track, WaveId};

impl Core {
    /// Reads memory for each lane: `take` gets the lane and its bytes.
    ///
    /// # Errors
    /// When a lane's bytes do not exist; lanes before it were served.
    #[inline]
    pub fn load(&mut self, access: &Access<'_>, mut take: impl FnMut(u32, &[u8])) -> Result<(), Trap> {
        if self.garbling.is_some() {
            return self.load_garbled(access, &mut take);
        }
        let len = u64::from(access.size);
        let (mut base, mut window): (u64, &[u8]) = (0, &[]);
        for lane in access.who.lanes.iter() {
            let address = access.addresses[lane as usize];
            let end = address.wrapping_sub(base).checked_add(len);
            if end.is_none_or(|end| end > window.len() as u64) {
                match self.memories.window(access.space, address, len) {
                    Some(found) => (base, window) = found,
                    None => return Err(self.outside(access, lane, "read")),
                }
            }
            let start = (address - base) as usize;
            take(lane, &window[start..start + len as usize]);
        }
        self.note(access, AccessKind::Read, LaneMask::NONE);
        Ok(())
    }

    /// Writes memory for each lane, in lane order: `give` gets the lane and its bytes to fill.
    ///
    /// # Errors
    /// When a lane's bytes do not exist; lanes before it were served.
    #[inline]
    pub fn store(&mut self, access: &Access<'_>, mut give: impl FnMut(u32, &mut [u8])) -> Result<(), Trap> {
        let asked = self.wants_touches();
        self.change(access, AccessKind::Write, |lane, bytes| compared(asked, bytes, |b| give(lane, b)))
    }

    /// Reads and writes memory for each lane in one step each, in lane order: `apply` gets the lane and its bytes.
    ///
    /// # Errors
    /// When a lane's bytes do not exist; lanes before it were served.
    #[inline]
    pub fn atomic(&mut self, access: &Access<'_>, mut apply: impl FnMut(u32, &mut [u8])) -> Result<(), Trap> {
        self.change(access, AccessKind::Atomic, |lane, bytes| compared(true, bytes, |b| apply(lane, b)))
    }

    /// `apply` tells whether it left all bytes as they were.
    #[inline]
    fn change(
        &mut self,
        access: &Access<'_>,
        kind: AccessKind,
        mut apply: impl FnMut(u32, &mut [u8]) -> bool,
    ) -> Result<(), Trap> {
        let len = u64::from(access.size);
        let mut silent = LaneMask::NONE;
        let (mut base, mut window): (u64, &mut [u8]) = (0, &mut []);
        for lane in access.who.lanes.iter() {
            let address = access.addresses[lane as usize];
            let end = address.wrapping_sub(base).checked_add(len);
            if end.is_none_or(|end| end > window.len() as u64) {
                match self.memories.window_mut(access.space, address, len) {
                    Some(found) => (base, window) = found,
                    None => return Err(self.outside(access, lane, "write")),
                }
            }
            let start = (address - base) as usize;
            silent.0 |= u64::from(apply(lane, &mut window[start..start + len as usize])) << lane;
        }
        // An atomic that changes nothing lets nobody go on: a lock that is taken, a read in the form of an atomic.
        if kind == AccessKind::Write || silent != access.who.lanes {
            self.progress += 1;
        }
        self.note(access, kind, silent);
        Ok(())
    }

    /// Tells of an access whose bytes an executor moved itself, or that moves none (a predicated-off cache operation).
    #[inline]
    pub fn note(&mut self, access: &Access<'_>, kind: AccessKind, silent: LaneMask) {
        self.visible = true;
        self.instructions += 1;
        // What was done to a barrier is written down where it is done.
        let data = matches!(kind, AccessKind::Read | AccessKind::Write | AccessKind::Atomic);
        if data && self.footprint.is_some() {
            match self.polled_word(access, kind) {
                Some(deed) => self.did(deed),
                None => self.add_footprint(access, kind, silent),
            }
        }
        if let (Space::Global, Some(claims)) = (access.space, &mut self.claims) {
            claims.access(access, kind);
        }
        if let Space::Shared(block) = access.space
            && !self.blocks[block.index()].words.is_empty()
        {
            match kind {
                AccessKind::Read | AccessKind::Atomic => self.note_words(block, access),
                AccessKind::Write => self.forget_words(block, access),
                AccessKind::BarrierInit
                | AccessKind::BarrierUse
                | AccessKind::BarrierTest
                | AccessKind::BarrierInval => {}
            }
        }
        if self.watching {
            self.emit(&Event::Access { access, kind, silent });
        }
    }

    #[cold]
    pub(crate) fn outside(&self, access: &Access<'_>, lane: u32, what: &str) -> Trap {
        let address = access.addresses[lane as usize];
        if let Space::Shared(block) = access.space
            && self.has_ended(block)
        {
            return Box::new(Diagnostic::new(
                Code("cluster-peer-gone"),
                Level::Error,
                format!("{what} of shared memory of {block}, which has exited"),
            ));
        }
        self.memories.out_of_bounds(
            access.space,
            address,
            u64::from(access.size),
            &format!("{what} by lane {lane}"),
        )
    }
}

impl<'a> Access<'a> {
    /// The same through another proxy.
    #[must_use]
    #[inline]
    pub fn through(mut self, proxy: Proxy) -> Access<'a> {
        self.proxy = proxy;
        self
    }

    /// The wave.
    #[must_use]
    #[inline]
    pub fn wave(&self) -> WaveId {
        self.who.wave
    }

    /// The channel operation it belongs to.
    #[must_use]
    #[inline]
    pub fn channel(&self) -> Option<(ChannelKind, u32)> {
        match self.track {
            Track::Lanes => None,
            Track::Channel { kind, seq } => Some((kind, seq)),
        }
    }
}

/// Lets `change` at some bytes; true when somebody asks and it left them as they were.
#[inline]
fn compared(asked: bool, bytes: &mut [u8], change: impl FnOnce(&mut [u8])) -> bool {
    let mut before = [0u8; 64];
    match before.get_mut(..bytes.len()).filter(|_| asked) {
        Some(before) => {
            before.copy_from_slice(bytes);
            change(bytes);
            before == bytes
        }
        None => {
            change(bytes);
            false
        }
    }
}
