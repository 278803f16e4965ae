//! Names of logics: what they are made of.

/// Who can answer questions of a logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It consists of theories that we know.
    Ours,
    /// It has theories that another solver may know.
    Others,
    /// It is no logic.
    None,
}

/// Theories that become terms.
const OURS: [&str; 5] = ["AX", "A", "UF", "BV", "FP"];
/// Theories that do not: data types, strings and sequences, integers and reals.
const OTHERS: [&str; 10] = ["DT", "S", "LIRA", "LIA", "LRA", "NIRA", "NIA", "NRA", "IDL", "RDL"];

/// The kind of logic that has this name. Solvers do not agree on the order of its parts.
pub(super) fn kind_of(name: &str) -> Kind {
    if ["ALL", "QF_ALL"].contains(&name) {
        return Kind::Ours;
    }
    if name == "HORN" {
        return Kind::Others;
    }
    let mut rest = name.strip_prefix("QF_").unwrap_or(name);
    let mut kind = if rest.is_empty() { Kind::None } else { Kind::Ours };
    while !rest.is_empty() {
        let part = |theories: &[&str]| theories.iter().find_map(|theory| rest.strip_prefix(theory));
        rest = match (part(&OURS), part(&OTHERS)) {
            (Some(after), _) => after,
            (None, Some(after)) => {
                kind = Kind::Others;
                after
            }
            (None, None) => return Kind::None,
        };
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logics_are_told_by_their_parts() {
        for name in ["QF_BV", "QF_ABV", "QF_AUFBVFP", "UFBV", "QF_AX", "BV", "ALL"] {
            assert_eq!(kind_of(name), Kind::Ours, "{name}");
        }
        for name in ["QF_LIA", "AUFLIRA", "QF_UFDTLIA", "QF_SLIA", "QF_BVFPLRA", "UFNIA", "QF_RDL", "HORN"] {
            assert_eq!(kind_of(name), Kind::Others, "{name}");
        }
        for name in ["QF_XYZ", "QF_", "", "QF_BVX", "qf_bv"] {
            assert_eq!(kind_of(name), Kind::None, "{name}");
        }
    }
}
