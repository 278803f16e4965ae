//! `poll_oneoff`: its lists of subscriptions and events in memory.

use crate::Limits;
use crate::imports::{CallResult, Fault, Guest};
use crate::world::{ClockId, Errno, Subscription};

const SUBSCRIPTION_SIZE: u32 = 48;
const EVENT_SIZE: u32 = 32;

pub(super) fn poll_oneoff(
    guest: &mut Guest<'_>,
    subscriptions: u32,
    events: u32,
    count: u32,
    result: u32,
) -> CallResult {
    if count == 0 {
        return Err(Errno::Invalid.into());
    }
    // Each subscription is as much work as a call of its own; the first is paid for by the call.
    guest.charge(u64::from(count - 1) * Limits::HOST_CALL_FUEL)?;
    let mut waiting = Vec::new();
    for index in 0..count {
        waiting.push(subscription(guest, element(subscriptions, index, SUBSCRIPTION_SIZE)?)?);
    }
    let wanted: Vec<Subscription> = waiting.iter().map(|&(_, wanted)| wanted).collect();
    let happened = guest.world.poll(&wanted)?;
    for (place, happened) in (0..).zip(&happened) {
        let (user_data, wanted) = waiting[happened.index];
        let mut event = [0; EVENT_SIZE as usize];
        event[..8].copy_from_slice(&user_data.to_le_bytes());
        event[10] = match wanted {
            Subscription::Clock { .. } => CLOCK,
            Subscription::Read(_) => READ,
            Subscription::Write(_) => WRITE,
        };
        event[16..24].copy_from_slice(&happened.bytes.to_le_bytes());
        event[24] = happened.at_end.into();
        guest.put_aligned(element(events, place, EVENT_SIZE)?, 8, &event)?;
    }
    guest.put_u32(result, happened.len() as u32)
}

const CLOCK: u8 = 0;
const READ: u8 = 1;
const WRITE: u8 = 2;

/// The address of an element of a list.
fn element(list: u32, index: u32, size: u32) -> CallResult<u32> {
    index.checked_mul(size).and_then(|offset| list.checked_add(offset)).ok_or(Fault::Pointer(list))
}

/// What a program waits for in one element of its list, and the number that it knows that by.
fn subscription(guest: &mut Guest<'_>, address: u32) -> CallResult<(u64, Subscription)> {
    if !address.is_multiple_of(8) || guest.memory.len() < address as usize + SUBSCRIPTION_SIZE as usize {
        return Err(Fault::Pointer(address));
    }
    let user_data = guest.number(address).map(u64::from_le_bytes)?;
    let [kind] = guest.number(address + 8)?;
    let number = guest.u32(address + 16)?;
    let wanted = match kind {
        CLOCK => Subscription::Clock {
            clock: ClockId::from_number(number).ok_or(Errno::Invalid)?,
            time: guest.number(address + 24).map(u64::from_le_bytes)?,
            absolute: match guest.number(address + 40).map(u16::from_le_bytes)? {
                0 => false,
                1 => true,
                _ => return Err(Errno::Invalid.into()),
            },
        },
        READ => Subscription::Read(number),
        WRITE => Subscription::Write(number),
        _ => return Err(Errno::Invalid.into()),
    };
    Ok((user_data, wanted))
}
