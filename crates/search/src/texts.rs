//! Strings that are parameters: how much room a search gives them, and what of it a test keeps.
//!
//! A string ends with its first zero. While paths are searched it has room behind that, so that it can become longer; when a path needs all of
//! it, there is more. The plain module gets the string alone: who reads behind its end reads what is not there.

use coax_execute::{Argument, Content, Data, Input};
use std::collections::BTreeMap;

/// The least room.
const LEAST: usize = 8;

/// The same input with room for its strings to become longer, up to so many bytes. Those of an array have the same: which of them there are is decided on the path.
pub(crate) fn with_room(mut input: Input, longest: u64) -> Input {
    let wanted = |text: &Data| {
        let length = length(text);
        (length + 1).next_power_of_two().max(LEAST).min(longest as usize).max(length)
    };
    let texts = grouped(&mut input);
    let mut arrays: BTreeMap<usize, usize> = BTreeMap::new();
    for (array, text) in &texts {
        let Some(array) = array else { continue };
        let most = arrays.entry(*array).or_default();
        *most = wanted(text).max(*most);
    }
    for (array, text) in texts {
        let room = array.and_then(|array| arrays.get(&array).copied()).unwrap_or_else(|| wanted(text));
        text.0.resize(room, 0);
    }
    input
}

/// The same input with strings that end where they end.
pub(crate) fn without_room(input: &Input) -> Input {
    let mut input = input.clone();
    texts(&mut input).into_iter().for_each(|text| text.0.truncate(length(text)));
    input
}

/// The same input with more room, if a string has used all that it has and may become longer.
pub(crate) fn with_more_room(input: &Input, longest: u64) -> Option<Input> {
    let mut input = input.clone();
    let mut is_more = false;
    for text in texts(&mut input) {
        if length(text) == text.0.len() && (text.0.len() as u64) < longest {
            is_more = true;
        }
    }
    is_more.then(|| with_room(input, longest))
}

/// Which room the strings of an input have, and what nobody counts, and which of its lengths are negative; nothing if there is nothing of the kind. Paths of inputs
/// with another room are other paths. Of an array, whose length may be
/// another one on the same path, what the longest has counts.
pub(crate) fn room(input: &Input) -> Option<u64> {
    let mut input = input.clone();
    let (mut all, mut arrays) = (Vec::new(), BTreeMap::new());
    for (array, text) in grouped(&mut input) {
        let room = text.0.len() as u64;
        match array {
            None => all.push(room),
            Some(array) => {
                let most: &mut u64 = arrays.entry(array).or_default();
                *most = room.max(*most);
            }
        }
    }
    all.extend(arrays.into_values());
    all.extend(input.spare());
    if input.may_have_negative_lengths() {
        all.push(input.negative_lengths().iter().fold(0, |all, place| all | 1 << (place % 64)));
    }
    let room = all.iter().fold(0u64, |all, room| all.wrapping_mul(0x9e37_79b9).wrapping_add(*room));
    (!all.is_empty()).then_some(room)
}

fn length(text: &Data) -> usize {
    text.0.iter().position(|&byte| byte == 0).unwrap_or(text.0.len())
}

/// The strings, except those that always are what they are and those whose length is a parameter, too.
fn texts(input: &mut Input) -> Vec<&mut Data> {
    grouped(input).into_iter().map(|(_, text)| text).collect()
}

/// The same, each with the number of the array that it is in, if it is in one whose length is a part of the input.
fn grouped(input: &mut Input) -> Vec<(Option<usize>, &mut Data)> {
    let mut texts = Vec::new();
    let mut arrays = 0;
    let mut rows = vec![(None, input.params.iter_mut().collect::<Vec<&mut Argument>>())];
    while let Some((array, row)) = rows.pop() {
        let counted: Vec<String> = row.iter().flat_map(|argument| argument.counts()).collect();
        for argument in row.into_iter().filter(|argument| !argument.fixed) {
            let is_counted = argument.name.as_ref().is_some_and(|name| counted.contains(name));
            match &mut argument.content {
                Content::Text(_, text) if !is_counted => texts.push((array, text)),
                Content::Pointer(Some(object)) => {
                    arrays += usize::from(is_counted);
                    let inner = array.or(is_counted.then_some(arrays));
                    rows.push((inner, object.fields.iter_mut().map(|field| &mut field.argument).collect()));
                }
                _ => {}
            }
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_execute::{Field, Object, Room};

    fn text(bytes: &[u8]) -> Input {
        let content = Content::Text(Room::Pages, Data(bytes.to_vec()));
        Input { params: vec![Argument::new(content)], ..Input::default() }
    }

    #[test]
    fn room_is_there_until_the_end() {
        let with = |bytes: &[u8], longest| with_room(text(bytes), longest);
        assert_eq!(with(b"%", 100), text(b"%\0\0\0\0\0\0\0"));
        assert_eq!(with(b"12345678", 100), text(b"12345678\0\0\0\0\0\0\0\0"));
        assert_eq!(with(b"%\0\0\0\0\0\0\0", 2), text(b"%\0"));
        assert_eq!(with(b"%%%", 2), text(b"%%%"), "what is there stays");
        assert_eq!(without_room(&with(b"%", 100)), text(b"%"));
    }

    /// An array of so many strings.
    fn array(count: u64, text: impl Fn(u64) -> Vec<u8>) -> Input {
        let text =
            |at: u64| Argument::new(Content::Text(Room::Pages, Data(text(at)))).named(format!("[{at}]"));
        let fields = (0..count.max(1)).map(|at| Field { at: at * 4, argument: text(at) }).collect();
        let array = Argument::new(Content::Pointer(Some(Object::new(Room::Pages, count * 4, fields))));
        let length = Argument::new(Content::length_of("array", 4)).named("n");
        Input { params: vec![array.named("array"), length], ..Input::default() }
    }

    #[test]
    fn strings_of_an_array_have_the_same_room() {
        let uneven = array(3, |at| vec![b'a'; if at == 1 { 9 } else { 1 }]);
        let even =
            array(3, |at| [vec![b'a'; if at == 1 { 9 } else { 1 }], vec![0; 16]].concat()[..16].to_vec());
        assert_eq!(with_room(uneven, 100), even);
        assert_eq!(without_room(&even), array(3, |at| vec![b'a'; if at == 1 { 9 } else { 1 }]));
    }

    #[test]
    fn how_many_strings_an_array_has_is_no_room() {
        let array = |count: u64| array(count, |_| vec![0; 8]);
        assert_eq!((room(&array(3)), room(&array(0))), (room(&array(1)), room(&array(1))));
        assert!(room(&array(1)).is_some());
    }

    #[test]
    fn there_is_more_when_all_is_used() {
        assert_eq!(with_more_room(&text(b"1234567\0"), 100), None);
        assert_eq!(with_more_room(&text(b"12345678"), 100), Some(text(b"12345678\0\0\0\0\0\0\0\0")));
        assert_eq!(with_more_room(&text(b"12345678"), 8), None);
    }
}
