//! How modifiers fill the slots of a row: the rules that stand at the top of [`super`].

/// More slots than any row has.
pub(super) const MOST_SLOTS: usize = 32;

/// True when the modifiers fill the slots.
pub(super) fn fills(slots: &str, modifiers: &[&str]) -> bool {
    let slots: Vec<&str> = slots.split_ascii_whitespace().take(MOST_SLOTS).collect();
    let mut taken = [false; MOST_SLOTS];
    // The last slots that a word of the name, a state space, a type and a layout filled.
    let (mut name, mut space, mut ty, mut layout) = (0, 0, 0, 0);
    for (index, modifier) in modifiers.iter().enumerate() {
        let free = slots.iter().enumerate().position(|(i, slot)| {
            let alternatives = slot.trim_start_matches('=').trim_end_matches('?');
            !taken[i] && alternatives.split('|').any(|p| glob(p, modifier))
        });
        let Some(slot) = free else { return false };
        taken[slot] = true;
        let in_order = if slots[slot].starts_with('=') {
            name = slot;
            // Whatever came before stands before it in the row, too.
            taken[..slot].iter().filter(|&&t| t).count() == index
        } else if is_space(modifier) {
            slot >= std::mem::replace(&mut space, slot)
        } else if is_type(modifier) {
            slot >= std::mem::replace(&mut ty, slot)
        } else if matches!(*modifier, "row" | "col") {
            slot >= std::mem::replace(&mut layout, slot)
        } else {
            true
        };
        if !in_order || slot < name {
            return false;
        }
    }
    slots.iter().zip(taken).all(|(slot, taken)| taken || slot.ends_with('?'))
}

fn is_space(modifier: &str) -> bool {
    matches!(
        modifier,
        "global"
            | "shared"
            | "shared::cta"
            | "shared::cluster"
            | "local"
            | "const"
            | "param"
            | "param::entry"
            | "param::func"
    )
}

/// `b32`, `f16x2`, `e4m3`, `b6x16_p32`, `pred`.
///
/// The size of a tensor map, `b1024`, is none: it stands before or behind the type of a field.
fn is_type(modifier: &str) -> bool {
    let mut letters = modifier.bytes();
    if modifier == "b1024" {
        return false;
    }
    modifier == "pred"
        || modifier == "tf32"
        || matches!(letters.next(), Some(b'b' | b'u' | b's' | b'f' | b'e'))
            && modifier.bytes().any(|b| b.is_ascii_digit())
            && letters.all(|b| b.is_ascii_digit() || matches!(b, b'x' | b'f' | b'm' | b'e' | b'_' | b'p'))
}

/// `pattern` with `*` standing for any run of characters.
pub(super) fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|head| text.strip_prefix(head)) else { return false };
    let mut ended = !pattern.contains('*');
    for part in parts {
        if part.is_empty() {
            ended = false;
            rest = "";
            continue;
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
        ended = true;
    }
    !ended || rest.is_empty()
}
