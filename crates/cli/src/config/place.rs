//! Where something stands in a file.

use std::path::Path;

/// A file and its text.
pub struct Source<'a> {
    pub path: &'a Path,
    pub text: &'a str,
}

impl Source<'_> {
    /// A place as editors read it: `coax.toml:3:8`.
    pub fn place(&self, offset: usize) -> String {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{}:{line}:{column}", self.path.display())
    }
}

#[cfg(test)]
mod tests {
    use super::Source;
    use std::path::Path;

    #[test]
    fn lines_and_columns_count_from_one() {
        let source = Source { path: Path::new("a"), text: "é=1\nx = 2\n" };
        assert_eq!(source.place(0), "a:1:1");
        assert_eq!(source.place(2), "a:1:2");
        assert_eq!(source.place(9), "a:2:5");
        assert_eq!(source.place(99), "a:3:1");
    }
}
