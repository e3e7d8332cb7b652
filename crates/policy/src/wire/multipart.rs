//! Bodies of several parts, as forms with files send them.

use sha2::{Digest, Sha256};

use super::{
    decoded::{FilePart, Opaque, Place},
    fields::Fields,
    unravel::exact,
};

/// The most files.
const MOST_FILES: usize = 200;

/// Takes a body apart. What is not exactly of the shape that browsers send is broken: others might read it in another way.
pub(super) fn read(body: &[u8], boundary: &str, fields: &mut Fields) -> Result<Vec<FilePart>, Opaque> {
    let mark = [b"--", boundary.as_bytes()].concat();
    let mut rest = body.strip_prefix(mark.as_slice()).ok_or(Opaque::Broken)?;
    let inner = [b"\r\n", mark.as_slice()].concat();
    let mut files = Vec::new();
    loop {
        if let Some(end) = rest.strip_prefix(b"--") {
            return if end.iter().all(u8::is_ascii_whitespace) { Ok(files) } else { Err(Opaque::Broken) };
        }
        let part = rest.strip_prefix(b"\r\n").ok_or(Opaque::Broken)?;
        let end = find(part, &inner).ok_or(Opaque::Broken)?;
        let (part, left) = part.split_at(end);
        // Some servers end a part at lines that end in another way.
        if find(part, &mark).is_some() {
            return Err(Opaque::Broken);
        }
        rest = left.get(inner.len()..).unwrap_or_default();
        one(part, fields, &mut files)?;
    }
}

fn one(part: &[u8], fields: &mut Fields, files: &mut Vec<FilePart>) -> Result<(), Opaque> {
    let end = find(part, b"\r\n\r\n").ok_or(Opaque::Broken)?;
    let (head, value) = part.split_at(end);
    let value = value.get(4..).unwrap_or_default();
    let head = exact(head);
    if head.replace("\r\n", "").contains(['\r', '\n']) {
        return Err(Opaque::Broken);
    }
    let mut names = head.split("\r\n").filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-disposition").then_some(value)
    });
    let (Some(disposition), None) = (names.next(), names.next()) else { return Err(Opaque::Broken) };
    if head.split("\r\n").any(|line| line.to_ascii_lowercase().starts_with("content-transfer-encoding")) {
        return Err(Opaque::Encoded);
    }
    let parameters = parameters(disposition).ok_or(Opaque::Broken)?;
    let get = |wanted: &str| parameters.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
    // Several names for one thing: nobody knows which one counts.
    let twice = parameters.iter().enumerate().any(|(at, (name, _))| {
        parameters.iter().take(at).any(|(other, _)| other == name) || name.ends_with('*')
    });
    let (Some(name), false) = (get("name"), twice) else { return Err(Opaque::Broken) };
    match get("filename") {
        // A field for a file that nobody chose.
        Some(file) if file.is_empty() && value.is_empty() => {
            fields.add(Place::Multipart, name.clone(), String::new())
        }
        Some(_) if files.len() >= MOST_FILES => Err(Opaque::TooLarge),
        Some(file) => {
            let digest = Sha256::digest(value).into();
            files.push(FilePart { field: name.clone(), name: file.clone(), bytes: value.len(), digest });
            Ok(())
        }
        None => fields.add(Place::Multipart, name.clone(), exact(value)),
    }
}

/// `form-data; name="a"; filename="b"`: what stands after the first word.
fn parameters(disposition: &str) -> Option<Vec<(String, String)>> {
    let mut rest = disposition.trim().strip_prefix("form-data")?.trim_start();
    let mut found = Vec::new();
    while let Some(next) = rest.strip_prefix(';') {
        let (name, after) = next.split_once('=')?;
        let after = after.trim_start();
        let (value, left) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => after.split_at(after.find(';').unwrap_or(after.len())),
        };
        found.push((name.trim().to_ascii_lowercase(), value.to_owned()));
        rest = left.trim_start();
    }
    rest.is_empty().then_some(found)
}

/// Where something stands.
fn find(within: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut from = 0;
    while let Some(at) = within.get(from..)?.iter().position(|&byte| byte == first) {
        if within.get(from + at..)?.starts_with(wanted) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}
