//! What names say of numbers: that they are lengths, whose, and in which unit.

/// How well the name of a length goes with that of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::arguments) enum Affinity {
    None,
    /// One begins with the other: `srcSize` and `source`.
    Begins,
    /// It is called after the pointer: `in_len` and `in`.
    Same,
}

/// Words that mean a length, in the unit of elements or in bytes.
const SIZES: [&str; 13] = [
    "len",
    "length",
    "size",
    "sz",
    "bytes",
    "nbytes",
    "byte",
    "lng",
    "siz",
    "capacity",
    "avail",
    "used",
    "remaining",
];
/// Words that mean how many there are.
const COUNTS: [&str; 12] =
    ["n", "count", "cnt", "num", "nmemb", "nelem", "nelems", "nitems", "nel", "argc", "total", "number"];
/// Words that mean how much room there is, and those that mean it in a structure that has a length, too.
const CAPACITIES: [&str; 5] = ["cap", "capacity", "alloc", "allocated", "alloced"];
const CAPACITIES_OF_STRUCTURES: [&str; 3] = ["max", "size", "room"];
/// Words that mean how much room there is behind a pointer to bytes.
const ROOMS: [&str; 5] = ["max", "limit", "space", "room", "maximum"];
/// Words that mean a number that is no length.
const OTHERS: [&str; 34] = [
    "flags", "flag", "mode", "index", "idx", "id", "type", "crc", "seed", "offset", "off", "pos", "position",
    "value", "val", "key", "hash", "mask", "bits", "level", "color", "colour", "timeout", "version", "port",
    "options", "option", "opts", "opt", "code", "ch", "c", "x", "y",
];
/// Words that mean a single object that is passed on or worked with.
const CONTEXTS: [&str; 17] = [
    "ctx", "context", "user", "userdata", "opaque", "arg", "priv", "private", "self", "this", "cookie",
    "state", "closure", "handle", "baton", "privdata", "env",
];

/// The words of a name, in lower case: `dstCapacity2` is `dst` and `capacity`.
fn words(name: &str) -> Vec<String> {
    let last = name.rsplit(['.', ']']).next().unwrap_or_default();
    let mut words = vec![String::new()];
    let mut before = '_';
    for character in last.chars() {
        let begins = character.is_uppercase() && !before.is_uppercase();
        if begins || !character.is_alphabetic() {
            words.push(String::new());
        }
        if let (true, Some(word)) = (character.is_alphabetic(), words.last_mut()) {
            word.extend(character.to_lowercase());
        }
        before = character;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The rest of a word of which another is the beginning or the end: `buf` of `buflen`.
fn without<'w>(word: &'w str, part: &str) -> Option<&'w str> {
    let rest = word.strip_suffix(part).or_else(|| word.strip_prefix(part).filter(|_| part.len() == 1));
    rest.filter(|rest| part.len() > 1 || !rest.is_empty())
}

/// What a name says beside that it is a length; none if it does not say that.
fn rest(name: &str, lengths: &[&[&str]]) -> Option<String> {
    let words = words(name);
    let is_length = |word: &String| lengths.iter().any(|all| all.contains(&word.as_str()));
    if let Some(place) = words.iter().position(is_length) {
        let others: Vec<&String> =
            words.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, word)| word).collect();
        return Some(others.into_iter().filter(|word| !is_length(word)).map(String::as_str).collect());
    }
    let [only] = &words[..] else { return None };
    // `buflen` and `nbuf`; other counts within words are accidents.
    let sizes = lengths.iter().flat_map(|all| all.iter()).filter(|part| part.len() >= 3);
    sizes.filter_map(|part| without(only, part)).min_by_key(|rest| rest.len()).map(str::to_owned)
}

/// Whether a name says that a number is a length.
pub(in crate::arguments) fn says_length(name: &str) -> bool {
    rest(name, &[&SIZES, &COUNTS]).is_some() || words(name) == ["cap"]
}

/// Whether it says that it is the size of something, rather than how many of something there are.
pub(in crate::arguments) fn says_size(name: &str) -> bool {
    rest(name, &[&SIZES]).is_some()
}

/// Whether it counts bytes.
pub(in crate::arguments) fn says_bytes(name: &str) -> bool {
    name.to_lowercase().contains("byte")
}

/// Whether it says how much room there is, beside a length.
pub(in crate::arguments) fn says_capacity(name: &str, in_structure: bool) -> bool {
    let is_it =
        |word: &str| CAPACITIES.contains(&word) || (in_structure && CAPACITIES_OF_STRUCTURES.contains(&word));
    words(name).iter().any(|word| is_it(word))
}

/// Whether it may say how much room bytes have.
pub(in crate::arguments) fn says_room(name: &str) -> bool {
    matches!(&words(name)[..], [only] if ROOMS.contains(&only.as_str()))
}

/// Whether a name says that it has nothing to do with lengths.
pub(in crate::arguments) fn is_about_something_else(name: &str) -> bool {
    words(name).last().is_some_and(|last| OTHERS.contains(&last.as_str()))
}

/// Whether a name says that a pointer is to a single object that somebody keeps.
pub(in crate::arguments) fn says_context(name: &str) -> bool {
    let words = words(name);
    let is_it = |word: &str| CONTEXTS.contains(&word);
    words.last().is_some_and(|last| is_it(last)) || is_it(&words.concat())
}

/// How well a length goes with a pointer.
pub(in crate::arguments) fn affinity(length: &str, pointer: &str) -> Affinity {
    let pointer = words(pointer).concat();
    let of_count = words(length).concat().strip_prefix('n').is_some_and(|rest| rest == pointer);
    let stem = rest(length, &[&SIZES, &COUNTS]).unwrap_or_default();
    match () {
        () if pointer.is_empty() => Affinity::None,
        () if stem == pointer || of_count => Affinity::Same,
        () if stem.len() >= 2
            && pointer.len() >= 2
            && (stem.starts_with(&pointer) || pointer.starts_with(&stem)) =>
        {
            Affinity::Begins
        }
        () => Affinity::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_recognised() {
        for name in [
            "len",
            "n",
            "data_len",
            "buflen",
            "srcSize",
            "dstCapacity",
            "nmemb",
            "num_items",
            "bytes",
            "len2",
            "argc",
            "hdr.size",
            "sourceLen",
            "nbytes",
        ] {
            assert!(says_length(name), "{name}");
        }
        for name in ["flags", "index", "key", "x", "lenient", "name", "none", "target", "resize_me", ""] {
            assert!(!says_length(name), "{name}");
        }
    }

    #[test]
    fn lengths_are_called_after_pointers() {
        for (length, pointer, expected) in [
            ("in_len", "in", Affinity::Same),
            ("destLen", "dest", Affinity::Same),
            ("sourceLen", "source", Affinity::Same),
            ("dstCapacity", "dst", Affinity::Same),
            ("srcSize", "source", Affinity::None),
            ("out_len", "output", Affinity::Begins),
            ("buflen", "buf", Affinity::Same),
            ("nbuf", "buf", Affinity::Same),
            ("num_items", "items", Affinity::Same),
            ("nrows", "rows", Affinity::Same),
            ("next", "extra", Affinity::None),
            ("n", "numbers", Affinity::None),
            ("len", "data", Affinity::None),
            ("length", "buffer", Affinity::None),
            ("compressedSize", "src", Affinity::None),
        ] {
            assert_eq!(affinity(length, pointer), expected, "{length} {pointer}");
        }
    }

    #[test]
    fn what_is_about_something_else_is_no_length() {
        for (name, is_other, is_context) in [
            ("flags", true, false),
            ("open_flags", true, false),
            ("key", true, false),
            ("user_data", false, true),
            ("ctx", false, true),
            ("userData", false, true),
            ("data", false, false),
            ("buf", false, false),
        ] {
            assert_eq!((is_about_something_else(name), says_context(name)), (is_other, is_context), "{name}");
        }
    }
}
