//! Which files may be given away.

use std::path::{Component, Path, PathBuf};

use legwork_types::{Code, Deed, Intent, Problem};

use crate::{Facts, Rules, clip::beginning};

/// Where the files of an intent really are, if all of them may be given away.
pub(crate) fn files(intent: &Intent, facts: &Facts, rules: &Rules) -> Result<Vec<PathBuf>, Problem> {
    let Intent::OnElement { deed: Deed::Upload(asked), .. } = intent else { return Ok(vec![]) };
    asked.iter().map(|asked| file(asked, facts, rules)).collect()
}

fn file(asked: &str, facts: &Facts, rules: &Rules) -> Result<PathBuf, Problem> {
    let told = beginning(asked, 200);
    let refuse = |message, hint: &str| Err(Problem::new(Code::UploadRefused, message, hint));
    match facts.files.iter().find(|file| file.asked == asked).and_then(|file| file.real.as_deref()) {
        None => refuse(format!("there is no file {:?}", told), "check the path"),
        Some(real) if rules.uploads.iter().any(|folder| is_in(real, folder)) => Ok(real.to_owned()),
        Some(_) => refuse(
            format!("{:?} is in no folder that files may be uploaded from", told),
            "the operator can allow a folder with --allow-upload FOLDER",
        ),
    }
}

/// Whether a file is in a folder, or in one below it. Both must be written out: `..` and what is relative are in no folder.
fn is_in(file: &Path, folder: &Path) -> bool {
    let is_written_out =
        |path: &Path| path.is_absolute() && path.components().all(|part| part != Component::ParentDir);
    is_written_out(file) && is_written_out(folder) && file.starts_with(folder) && file != folder
}
