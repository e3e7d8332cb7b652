//! A picture of a page, however the server gives it: as a part of its answer, as an object, as base64 in a text, or as a file that
//! it wrote. That there is none never stops an errand: it is a value.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use rustix::fs::{Mode, OFlags, open};
use serde_json::Value;
use thiserror::Error;

use super::{Outcome, ToolAnswer};

/// How large a picture may be, in bytes.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// How long the path of a file may be.
const MOST_PATH: usize = 4_096;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A picture, known by its first bytes to be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// `image/png` or `image/jpeg`.
    pub media_type: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Why there is no picture.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum PictureError {
    /// The tool failed.
    #[error("no picture could be taken: {0}")]
    Failed(String),
    /// There is none in the answer.
    #[error("there is no picture in the answer")]
    None,
    /// It is neither PNG nor JPEG.
    #[error("what should be a picture is neither PNG nor JPEG")]
    NoPicture,
    /// It is too large.
    #[error("the picture is larger than {MOST_BYTES} bytes")]
    TooLarge,
    /// It is in no folder that is read.
    #[error("the picture is in no folder of the toolbox")]
    Elsewhere,
    /// The file can't be read.
    #[error("the picture can't be read: {0}")]
    File(String),
}

/// Where a picture is.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Here(Vec<u8>),
    At(PathBuf),
}

/// The picture that a tool answered with. A file is read only in the toolbox's folder, which a path starts from, or in the
/// system's folder for temporary ones.
pub fn picture_of(answer: &ToolAnswer, folder: &Path) -> Result<Picture, PictureError> {
    let bytes = match place(answer)? {
        Place::Here(bytes) => bytes,
        Place::At(path) => read(&folder.join(path), &[folder, &std::env::temp_dir()])?,
    };
    Ok(Picture { media_type: media_type(&bytes).ok_or(PictureError::NoPicture)?, bytes })
}

fn place(answer: &ToolAnswer) -> Result<Place, PictureError> {
    let text = answer.joined();
    if answer.outcome == Outcome::Failed {
        return Err(PictureError::Failed(text.chars().take(300).collect()));
    }
    if let Some(picture) = answer.pictures.first() {
        return decoded(&picture.base64).map(Place::Here);
    }
    match &answer.structured {
        Some(object) if answer.text.is_empty() => of_object(object),
        _ => match serde_json::from_str(&text) {
            Ok(object @ Value::Object(_)) => of_object(&object),
            Ok(Value::String(text)) => of_text(&text),
            _ => of_text(&text),
        },
    }
}

fn of_object(object: &Value) -> Result<Place, PictureError> {
    let text = |field: &str| object.get(field).and_then(Value::as_str);
    match (text("data"), text("path")) {
        (Some(data), _) => decoded(data).map(Place::Here),
        (None, Some(path)) => path_of(path),
        (None, None) => Err(PictureError::None),
    }
}

fn of_text(text: &str) -> Result<Place, PictureError> {
    let text = text.trim();
    // As Playwright tells of a file: [Screenshot of viewport](./page.png), whatever else it says.
    let link = text.lines().find_map(|line| line.strip_prefix("- [")?.split_once("](")?.1.strip_suffix(')'));
    match link {
        Some(path) => path_of(path),
        None if text.is_empty() => Err(PictureError::None),
        None if looks_like_path(text) => path_of(text),
        None => decoded(text).map(Place::Here),
    }
}

/// Base64 has slashes too, but no dot and no ending.
fn looks_like_path(text: &str) -> bool {
    let ending = Path::new(text).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    text.len() <= MOST_PATH && ["png", "jpg", "jpeg"].contains(&ending.to_ascii_lowercase().as_str())
}

fn path_of(path: &str) -> Result<Place, PictureError> {
    match path.len() <= MOST_PATH && !path.is_empty() && !path.contains('\0') {
        true => Ok(Place::At(PathBuf::from(path))),
        false => Err(PictureError::None),
    }
}

fn decoded(text: &str) -> Result<Vec<u8>, PictureError> {
    let text = match text.trim().strip_prefix("data:") {
        Some(rest) => rest.split_once(";base64,").ok_or(PictureError::NoPicture)?.1,
        None => text,
    };
    if text.len() / 4 * 3 > MOST_BYTES {
        return Err(PictureError::TooLarge);
    }
    let packed: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    BASE64.decode(packed).map_err(|_| PictureError::NoPicture)
}

/// Reads a file that has to be in one of the folders, and has to be one.
fn read(path: &Path, folders: &[&Path]) -> Result<Vec<u8>, PictureError> {
    let trouble = |error: std::io::Error| PictureError::File(error.to_string());
    let path = path.canonicalize().map_err(trouble)?;
    let inside = |folder: &&Path| folder.canonicalize().is_ok_and(|folder| path.starts_with(folder));
    if !folders.iter().any(inside) {
        return Err(PictureError::Elsewhere);
    }
    // A pipe without a writer would never let us go.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOFOLLOW;
    let file = File::from(open(&path, flags, Mode::empty()).map_err(|error| trouble(error.into()))?);
    let meta = file.metadata().map_err(trouble)?;
    if !meta.is_file() {
        return Err(PictureError::NoPicture);
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(trouble)?;
    if bytes.len() > MOST_BYTES { Err(PictureError::TooLarge) } else { Ok(bytes) }
}

fn media_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::{super::RawPicture, *};

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";
    const JPEG: &[u8] = b"\xff\xd8\xff\xe0rest";

    fn answer(text: &str) -> ToolAnswer {
        let text = if text.is_empty() { Vec::new() } else { vec![text.to_owned()] };
        ToolAnswer { outcome: Outcome::Done, text, pictures: Vec::new(), structured: None, cut: false }
    }

    fn kind(answer: &ToolAnswer, folder: &Path) -> Result<&'static str, PictureError> {
        picture_of(answer, folder).map(|picture| picture.media_type)
    }

    #[test]
    fn every_shape_of_a_picture_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("shot.png"), PNG).unwrap();
        fs::write(folder.join("shot.jpeg"), JPEG).unwrap();
        let base64 = BASE64.encode(PNG);
        let part = RawPicture { media_type: "text/html".into(), base64: base64.clone() };
        let with_part = ToolAnswer { pictures: vec![part], ..answer("### Result\n- [x](nowhere.png)") };
        let structured = ToolAnswer { structured: Some(json!({"data": base64})), ..answer("") };
        for (answer, expected) in [
            (with_part, "image/png"),
            (structured, "image/png"),
            (answer(&json!({"data": base64}).to_string()), "image/png"),
            (answer(&json!({"path": "shot.jpeg"}).to_string()), "image/jpeg"),
            (answer(&json!(base64).to_string()), "image/png"),
            (answer(&base64), "image/png"),
            (answer(base64.trim_end_matches('=')), "image/png"),
            (answer(&format!("data:image/png;base64,{base64}\n")), "image/png"),
            (answer("shot.png"), "image/png"),
            (answer(folder.join("shot.jpeg").to_str().unwrap()), "image/jpeg"),
            (
                answer("### Result\n- [Screenshot of viewport](./shot.png)\n### Ran Playwright code"),
                "image/png",
            ),
        ] {
            assert_eq!(kind(&answer, folder), Ok(expected), "{answer:?}");
        }
    }

    #[test]
    fn what_is_no_picture_is_an_error_and_no_file_of_the_person_is_read() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("toolbox");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("words.png"), "no picture").unwrap();
        fs::create_dir(folder.join("folder.png")).unwrap();
        assert_eq!(kind(&answer(""), &folder), Err(PictureError::None));
        assert_eq!(kind(&answer("words.png"), &folder), Err(PictureError::NoPicture));
        assert_eq!(kind(&answer("folder.png"), &folder), Err(PictureError::NoPicture));
        assert!(matches!(kind(&answer("absent.png"), &folder), Err(PictureError::File(_))));
        assert_eq!(kind(&answer("Hello, world"), &folder), Err(PictureError::NoPicture));
        assert_eq!(kind(&answer("{}"), &folder), Err(PictureError::None));
        let failed = ToolAnswer { outcome: Outcome::Failed, ..answer("a dialog is open") };
        assert_eq!(kind(&failed, &folder), Err(PictureError::Failed("a dialog is open".into())));
        assert_eq!(decoded(&"A".repeat(MOST_BYTES * 2)), Err(PictureError::TooLarge));
        // Also over a link that leads out.
        std::os::unix::fs::symlink("/bin/sh", folder.join("link.png")).unwrap();
        for path in ["/bin/sh", "- [x](/etc/passwd)", "link.png"] {
            let told = picture_of(&answer(path), &folder);
            assert!(
                matches!(told, Err(PictureError::Elsewhere | PictureError::NoPicture)),
                "{path}: {told:?}"
            );
        }
        let pipe = folder.join("pipe.png");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(kind(&answer("pipe.png"), &folder), Err(PictureError::NoPicture));
    }
}
