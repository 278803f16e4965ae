//! What the services of test harnesses do.

use super::{Failure, RangeKind, Service, Size, What, Word, failed};
use crate::imports::{Buffer, CallResult, Condition, Extended, Fault, Guest, Item};
use crate::path::Concretisation;
use crate::world::Named;
use crate::{NumberKind, Value};

/// What a byte costs that is kept until the run ends: so fuel limits how much that can be.
const KEPT_BYTE_FUEL: u64 = 16;

/// So long a name or text may be; the rest is left out.
const LONGEST_TEXT: u32 = 4096;

/// Answers a call; the bits of the result, if it has one.
pub(super) fn serve(service: &Service, args: &[Value], guest: &mut Guest<'_>) -> CallResult<u64> {
    let arg = |place: usize| args.get(place).copied().map_or(0, Value::bits);
    match &service.what {
        What::Number { kind, name } => {
            let named = named(service, guest, name.map(arg))?;
            number(service, guest, named, *kind, 0)
        }
        What::Range { from, to, name, kind } => {
            // Without a first number it is one of so many, counted without a sign.
            let is_empty = match from {
                Some(from) => arg(*to) as i32 <= arg(*from) as i32,
                None => arg(*to) as u32 == 0,
            };
            let (from, to) = (from.map_or(0, arg) as u32, arg(*to) as u32);
            if is_empty {
                let (from, to) = (from as i32, to as i32);
                let reason = format!("a number from {from} up to, not including, {to}: there is none");
                return Err(match kind {
                    RangeKind::Klee => failed(Failure::Abort, format!("invalid range: {reason}")),
                    RangeKind::Lenient => Fault::Discarded(reason),
                });
            }
            if *kind == RangeKind::Klee && to.wrapping_sub(from) == 1 {
                return Ok(from.into());
            }
            let named = named(service, guest, name.map(arg))?;
            range(service, guest, named, from, to)
        }
        What::Object { address, size, name } => {
            let size = match *size {
                Size::At(place) => arg(place),
                Size::Known(size) => size.into(),
            };
            let named = named(service, guest, name.map(arg))?;
            object(guest, named, arg(*address), size)?;
            Ok(0)
        }
        What::Assume(place) => {
            let held = arg(*place) != 0;
            guest.world.log.add(|| Item::Condition { place: *place, condition: Condition::Assumed, held });
            match held {
                true => Ok(0),
                false => Err(Fault::Discarded(
                    "an assumption does not hold; if it does for no input, the assumptions contradict each other".into(),
                )),
            }
        }
        What::Assert { condition, text } => {
            let held = arg(*condition) != 0;
            let place = *condition;
            guest.world.log.add(|| Item::Condition { place, condition: Condition::Asserted, held });
            if held {
                return Ok(0);
            }
            let text = text.and_then(|place| self::text(guest, arg(place)).ok());
            Err(failed(Failure::Assertion, text.unwrap_or_default()))
        }
        What::Fail { kind, texts } => {
            let mut reason = String::new();
            for word in texts {
                match *word {
                    // It fails in any case, whether it can say why or not.
                    Word::Text(place) => reason += &text(guest, arg(place)).unwrap_or_default(),
                    Word::Wide(place) => reason += &wide_text(guest, arg(place)).unwrap_or_default(),
                    Word::Number(place) => reason += &(arg(place) as i32).to_string(),
                    Word::Plain(word) => reason += word,
                }
            }
            Err(failed(*kind, reason))
        }
        What::Exit(place) => Err(Fault::Exit(arg(*place) as u32)),
        What::Discard => Err(Fault::Discarded("the program asked that this run be ignored".into())),
        What::Label(place) => {
            let label = text(guest, arg(*place))?;
            // It is compared with all that there are.
            let known = guest.world.requests.labels.len() as u64;
            guest.charge(known + label.len() as u64 * KEPT_BYTE_FUEL)?;
            guest.world.requests.reach(label);
            Ok(0)
        }
        What::Unknown(place) => {
            guest.world.unknown_functions.push(arg(*place) as u32);
            Ok(0)
        }
        What::OpenScope { name, length } => {
            let name = match length {
                Some(length) => bytes(guest, arg(*name), arg(*length))?,
                None => text(guest, arg(*name))?,
            };
            guest.charge(name.len() as u64 * KEPT_BYTE_FUEL)?;
            guest.world.requests.scopes.push(name);
            Ok(0)
        }
        What::CloseScope => {
            guest.world.requests.scopes.pop();
            Ok(0)
        }
        What::Same(place) => {
            // A term is as wide as the result only if the types are the same.
            let is_same = args.get(*place).is_some_and(|arg| service.result.is_some_and(|ty| arg.fits(ty)));
            if is_same {
                guest.world.log.add(|| Item::Same { place: *place });
            }
            Ok(arg(*place))
        }
        What::Concrete(place) => Ok(arg(*place)),
        What::Constant(bits) => Ok(*bits),
        What::Say(place) => {
            let said = format!("{}: {}\n", service.name, text(guest, arg(*place))?);
            guest.world.say(said.as_bytes());
            Ok(0)
        }
        What::Print(place) => {
            let character = char::from_u32(arg(*place) as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
            guest.world.print(character.to_string().as_bytes());
            Ok(0)
        }
        What::CheckAccess { address, size } => {
            let (address, length) = (arg(*address) as u32, arg(*size) as u32);
            match guest.place(Buffer { address, length }) {
                Ok(_) => Ok(0),
                Err(_) => Err(failed(
                    Failure::Assertion,
                    format!("{length} bytes at {address:#x} are not all in memory"),
                )),
            }
        }
        What::ObjectSize(place) => {
            let address = arg(*place);
            guest.world.requests.object_at(address).ok_or_else(|| {
                let name = &service.name;
                Fault::Refused(format!(
                    "`{name}`: coax knows the sizes of symbolic objects only, and none is at {address:#x}"
                ))
            })
        }
    }
}

/// What a request is called.
fn named(service: &Service, guest: &mut Guest<'_>, name: Option<u64>) -> CallResult<Named> {
    // All scopes are part of its name.
    let scopes: usize = guest.world.requests.scopes.iter().map(|scope| scope.len() + 1).sum();
    guest.charge(scopes as u64 * KEPT_BYTE_FUEL)?;
    Ok(match name {
        None | Some(0) => Named::After(service.name.clone()),
        Some(address) => match text(guest, address)? {
            name if name.is_empty() => Named::After(service.name.clone()),
            name => Named::Own(name),
        },
    })
}

/// Asks for a number, and makes it the result.
fn number(
    service: &Service,
    guest: &mut Guest<'_>,
    named: Named,
    kind: NumberKind,
    default: u64,
) -> CallResult<u64> {
    let (name, bits) = guest.world.requests.number(named, kind, default)?;
    let wide = if service.result == Some(wasmparser::ValType::I64) { 64 } else { 32 };
    let (width, signed) = (kind.width().unwrap_or(wide), kind.is_signed());
    let result = if signed { sign_extended(bits, width) & (u64::MAX >> (64 - wide)) } else { bits };
    let extended = Extended { width: wide.max(width), signed, bits: result };
    guest.world.log.add(|| Item::Result { name, width, bits, extended });
    Ok(result)
}

fn sign_extended(bits: u64, width: u8) -> u64 {
    let unused = 64 - u32::from(width);
    ((bits << unused) as i64 >> unused) as u64
}

/// Asks for a number of 32 bits in a range that is not empty.
fn range(service: &Service, guest: &mut Guest<'_>, named: Named, from: u32, to: u32) -> CallResult<u64> {
    let within = |number: u32| number.wrapping_sub(from) < to.wrapping_sub(from);
    let default = if within(0) { 0 } else { from };
    let bits = number(service, guest, named, NumberKind::I32, default.into())?;
    let held = within(bits as u32);
    guest.world.log.add(|| Item::Bounds { from, to, held });
    match held {
        true => Ok(bits),
        false => Err(Fault::Discarded(format!("{} is not in the range that was asked for", bits as i32))),
    }
}

/// Asks for bytes, and writes them.
fn object(guest: &mut Guest<'_>, named: Named, address: u64, size: u64) -> CallResult {
    let outside = |guest: &Guest<'_>| {
        let memory = guest.memory.len();
        Fault::Refused(format!(
            "{size} symbolic bytes at {address:#x} do not fit the memory, which has {memory}"
        ))
    };
    let buffer = u32::try_from(address).ok().zip(u32::try_from(size).ok());
    let Some((address, length)) = buffer else { return Err(outside(guest)) };
    if guest.place(Buffer { address, length }).is_err() {
        return Err(outside(guest));
    }
    guest.charge(u64::from(length) * KEPT_BYTE_FUEL)?;
    let (source, bytes) = guest.world.requests.bytes(named, length as usize)?;
    guest.put(address, &bytes)?;
    guest.world.requests.place(address.into(), length.into());
    guest.note_input(address, bytes.len(), &source, 0);
    Ok(())
}

/// A string of C's, as text.
fn text(guest: &mut Guest<'_>, address: u64) -> CallResult<String> {
    let start = u32::try_from(address).map_err(|_| Fault::Pointer(u32::MAX))?;
    let rest = guest.memory.get(start as usize..).ok_or(Fault::Pointer(start))?;
    let longest = rest.len().min(LONGEST_TEXT as usize);
    let end = rest[..longest].iter().position(|&byte| byte == 0);
    // The byte that ends it decides as much as those before it.
    let noted = end.map_or(longest, |end| end + 1);
    guest.note_bytes(Buffer { address: start, length: noted as u32 }, Concretisation::Import)?;
    let text = &guest.memory[start as usize..][..end.unwrap_or(longest)];
    Ok(String::from_utf8_lossy(text).into_owned())
}

/// Bytes as text; what happens depends on them.
fn bytes(guest: &mut Guest<'_>, address: u64, length: u64) -> CallResult<String> {
    let address = u32::try_from(address).map_err(|_| Fault::Pointer(u32::MAX))?;
    let length = u32::try_from(length).unwrap_or(u32::MAX).min(LONGEST_TEXT);
    let buffer = Buffer { address, length };
    guest.note_bytes(buffer, Concretisation::Import)?;
    let place = guest.place(buffer)?;
    Ok(String::from_utf8_lossy(&guest.memory[place]).into_owned())
}

/// A string of AssemblyScript's: UTF-16, its length in bytes before it.
fn wide_text(guest: &mut Guest<'_>, address: u64) -> CallResult<String> {
    let address = address as u32;
    let Some(length) = address.checked_sub(4).filter(|_| address != 0) else { return Ok(String::new()) };
    let length = guest.u32(length)?.min(LONGEST_TEXT);
    let buffer = Buffer { address, length };
    guest.note_bytes(buffer, Concretisation::Import)?;
    let place = guest.place(buffer)?;
    let units = guest.memory[place].chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
    Ok(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}
