//! Serves the files of a folder, and nothing outside it.

use std::io;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use tower_http::services::ServeFile;

use crate::listing;
use crate::place::{Folder, Place};
use crate::trouble::not_found;

/// Makes a site of the files in `folder`; an error if that is not a folder.
pub(crate) fn router(folder: &Path) -> io::Result<Router> {
    let folder = Arc::new(Folder::open(folder)?);
    let answer = get(answer).with_state(folder);
    Ok(Router::new().fallback_service(answer))
}

/// Responds with the file or the list that the path leads to. It looks at the disk on
/// this thread, because a local folder is faster than waking another thread. The
/// library that reads the file does so on a thread for files.
async fn answer(State(folder): State<Arc<Folder>>, request: Request) -> Response {
    let path = request.uri().path();
    match folder.locate(path) {
        Place::File(file) => send(&file, request).await,
        Place::Folder(place) => listing::list(&folder, &place, path),
        Place::FolderWithoutSlash => {
            let query = request.uri().query().map(|query| format!("?{query}"));
            Redirect::temporary(&format!("{path}/{}", query.unwrap_or_default()))
                .into_response()
        }
        Place::Nowhere => not_found("There is no such file."),
    }
}

async fn send(file: &Path, request: Request) -> Response {
    match ServeFile::new(file).try_call(request).await {
        Ok(response) => in_one_piece(response.into_response()).await,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            not_found("The file has just gone.")
        }
        Err(_) => (StatusCode::FORBIDDEN, "This file cannot be read.").into_response(),
    }
}

/// Up to this size, in bytes, a file is read before its head is sent.
const SMALL: usize = 64 * 1024;

/// Sends a small file together with its head, as most file servers do: otherwise a
/// client would need two reads for each small file.
async fn in_one_piece(response: Response) -> Response {
    let (head, body) = response.into_parts();
    if body.size_hint().upper().is_none_or(|bytes| bytes > SMALL as u64) {
        return Response::from_parts(head, body);
    }
    match to_bytes(body, SMALL).await {
        Ok(bytes) => Response::from_parts(head, Body::from(bytes)),
        Err(_) => not_found("The file cannot be read."),
    }
}
