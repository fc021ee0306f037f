//! `psl` without its list, which takes a tenth of the program: a registrable domain has
//! two labels. (Only `--lenient` asks for it.)
#![forbid(unsafe_code)]

/// Returns the last two labels of a name.
pub fn domain_str(name: &str) -> Option<&str> {
    let (rest, _) = name.rsplit_once('.')?;
    let begin = rest.rfind('.').map_or(0, |dot| dot + 1);
    Some(&name[begin..])
}
