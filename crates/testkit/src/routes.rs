//! The special behaviours of the page server: pages that never end, redirects, downloads, cookies.

use std::{convert::Infallible, fmt::Write as _, time::Duration};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Path, Query, Request},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::{any, get},
};
use futures_util::{Stream, StreamExt, stream};
use tokio::time::sleep;

const CHUNK: usize = 64 * 1024;

/// The routes of all special behaviours.
pub(crate) fn special() -> Router {
    Router::new()
        .route("/never-ends", get(never_ends))
        .route("/no-answer", any(no_answer))
        .route("/slow", any(slow))
        .route("/redirect", any(redirect))
        .route("/status/{code}", any(status))
        .route("/download/{name}", get(download))
        .route("/cookie/set", get(cookie_set))
        .route("/cookie/show", get(cookie_show))
        .route("/echo", any(echo))
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
}

type Parameters = Query<std::collections::HashMap<String, String>>;

async fn never_ends() -> Response {
    let start = "<!doctype html><title>Never ends</title><p>The start</p>\n";
    let trickle = stream::repeat(()).then(async |()| {
        sleep(Duration::from_secs(1)).await;
        Bytes::from_static(b".")
    });
    let body = stream::iter([Bytes::from_static(start.as_bytes())]).chain(trickle);
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], body_of(body)).into_response()
}

async fn no_answer() -> Response {
    std::future::pending().await
}

async fn slow(Query(parameters): Parameters) -> Response {
    let Some(ms) = parameters.get("ms").and_then(|ms| ms.parse().ok()) else {
        return (StatusCode::BAD_REQUEST, "write /slow?ms=MILLISECONDS").into_response();
    };
    sleep(Duration::from_millis(ms)).await;
    Html(format!("<!doctype html><title>Slow</title><p>After {ms} ms</p>\n")).into_response()
}

async fn redirect(Query(parameters): Parameters) -> Response {
    match parameters.get("to").map(|to| HeaderValue::from_bytes(to.as_bytes())) {
        Some(Ok(to)) => (StatusCode::FOUND, [(header::LOCATION, to)]).into_response(),
        _ => (StatusCode::BAD_REQUEST, "write /redirect?to=ADDRESS").into_response(),
    }
}

async fn status(Path(code): Path<u16>) -> Response {
    match StatusCode::from_u16(code) {
        Ok(status) if matches!(code, 204 | 205 | 304) => status.into_response(),
        Ok(status) if code >= 200 => {
            (status, Html(format!("<!doctype html><title>{code}</title><p>Status {code}</p>\n")))
                .into_response()
        }
        _ => (StatusCode::BAD_REQUEST, "write /status/CODE with a code from 200 to 999").into_response(),
    }
}

async fn download(Path(name): Path<String>, Query(parameters): Parameters) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_DISPOSITION, attachment(&name));
    if parameters.contains_key("endless") {
        // Fast enough to pass any limit soon, slow enough not to fill a disk during one test.
        let chunks = stream::repeat(()).then(async |()| {
            sleep(Duration::from_millis(5)).await;
            Bytes::from_static(&[b'x'; CHUNK])
        });
        return (headers, body_of(chunks)).into_response();
    }
    match parameters.get("bytes").map(|bytes| bytes.parse::<u64>()) {
        None => (headers, "small download\n").into_response(),
        Some(Ok(bytes)) => {
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes));
            (headers, body_of(stream::iter(chunks_of(bytes)))).into_response()
        }
        Some(Err(_)) => (StatusCode::BAD_REQUEST, "write ?bytes=NUMBER").into_response(),
    }
}

fn chunks_of(bytes: u64) -> impl Iterator<Item = Bytes> {
    let chunk = CHUNK as u64;
    (0..bytes.div_ceil(chunk)).map(move |index| {
        let length = (bytes - index * chunk).min(chunk);
        Bytes::from_static(&[b'x'; CHUNK]).slice(..usize::try_from(length).unwrap_or(CHUNK))
    })
}

/// `Content-Disposition` that says exactly `name`, hostile names included: plain where a header can hold it.
fn attachment(name: &str) -> HeaderValue {
    let mut value = String::from("attachment; ");
    if name.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        let _ = write!(value, "filename=\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    } else {
        value.push_str("filename*=UTF-8''");
        for byte in name.bytes() {
            if byte.is_ascii_alphanumeric() || b"-._".contains(&byte) {
                value.push(char::from(byte));
            } else {
                let _ = write!(value, "%{byte:02X}");
            }
        }
    }
    HeaderValue::from_str(&value).expect("only visible ASCII was written")
}

async fn cookie_set(Query(parameters): Parameters) -> Response {
    let pair = parameters.get("name").zip(parameters.get("value"));
    let cookie =
        pair.and_then(|(name, value)| HeaderValue::from_str(&format!("{name}={value}; Path=/")).ok());
    match cookie {
        Some(cookie) => ([(header::SET_COOKIE, cookie)], "set\n").into_response(),
        None => (StatusCode::BAD_REQUEST, "write /cookie/set?name=NAME&value=VALUE").into_response(),
    }
}

async fn cookie_show(headers: HeaderMap) -> Response {
    let cookies: Vec<String> = headers
        .get_all(header::COOKIE)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        .collect();
    cookies.join("; ").into_response()
}

/// Says what came: the request line, the headers, an empty line, the body.
async fn echo(request: Request) -> Response {
    let (head, body) = request.into_parts();
    let mut text = format!("{} {}\n", head.method, head.uri).into_bytes();
    for (name, value) in &head.headers {
        text.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\n"].concat());
    }
    text.push(b'\n');
    text.extend(axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default());
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

fn body_of(chunks: impl Stream<Item = Bytes> + Send + 'static) -> Body {
    Body::from_stream(chunks.map(Ok::<_, Infallible>))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_download_says_exactly_its_name() {
        let cases = [
            ("report.txt", "attachment; filename=\"report.txt\""),
            ("../../evil.sh", "attachment; filename=\"../../evil.sh\""),
            ("a\"b\\c", "attachment; filename=\"a\\\"b\\\\c\""),
            ("ä.txt", "attachment; filename*=UTF-8''%C3%A4.txt"),
            ("a\r\nb", "attachment; filename*=UTF-8''a%0D%0Ab"),
        ];
        for (name, header) in cases {
            assert_eq!(attachment(name), header);
        }
    }

    #[test]
    fn chunks_add_up_to_the_size() {
        for bytes in [0, 1, 65_535, 65_536, 65_537, 200_000] {
            let sum: u64 = chunks_of(bytes).map(|chunk| chunk.len() as u64).sum();
            assert_eq!(sum, bytes);
        }
    }
}
