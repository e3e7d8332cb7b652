//! The files of a folder, served as they are on disk.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::{
    extract::Path as UrlPath,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::{MethodRouter, get},
};

/// Answers with the file that the last part of the path names.
pub(crate) fn files(folder: PathBuf) -> MethodRouter {
    let folder = Arc::new(folder);
    get(move |UrlPath(file): UrlPath<String>| async move { serve(&folder, &file) })
}

fn serve(folder: &Path, file: &str) -> Response {
    let Some(path) = inside(folder, file) else {
        return (StatusCode::NOT_FOUND, format!("no file {file}")).into_response();
    };
    match fs::read(&path) {
        Ok(bytes) => ([(header::CONTENT_TYPE, kind(&path)), (header::CACHE_CONTROL, "no-store")], bytes)
            .into_response(),
        Err(problem) => (StatusCode::NOT_FOUND, problem.to_string()).into_response(),
    }
}

/// The path of a file, unless it leads out of the folder.
fn inside(folder: &Path, file: &str) -> Option<PathBuf> {
    let path = folder.join(file).canonicalize().ok()?;
    (path.is_file() && path.starts_with(folder.canonicalize().ok()?)).then_some(path)
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TempHome;

    #[test]
    fn a_file_of_the_folder_is_found_and_nothing_else() {
        let home = TempHome::new();
        let folder = home.path().join("public");
        fs::create_dir_all(folder.join("library")).unwrap();
        fs::write(folder.join("library/os.html"), "os").unwrap();
        fs::write(home.path().join("secret"), "").unwrap();
        assert!(inside(&folder, "library/os.html").is_some());
        for wrong in ["", "library", "../secret", "library/../../secret", "absent", "/etc/passwd"] {
            assert_eq!(inside(&folder, wrong), None, "{wrong}");
        }
    }
}
