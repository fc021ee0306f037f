//! Serves the files of a folder, and nothing outside it.

use std::io;
use std::path::Path;

use http_body_util::BodyExt;
use hyper::body::{Body as _, Incoming};
use hyper::{Request, StatusCode};
use tower_http::services::ServeFile;

use crate::answer::{self, Answer, moved, not_found, status, whole};
use crate::connection::ConnectionInfo;
use crate::http::Site;
use crate::listing;
use crate::place::{Folder, Place};

impl Site for Folder {
    /// Responds with the file or the listing at the path. It searches the disk on this
    /// thread, because a local folder is faster than waking another thread. Files are
    /// read on other threads, by a library.
    async fn answer(&self, request: Request<Incoming>, _: &ConnectionInfo) -> Answer {
        let path = request.uri().path();
        match self.locate(path) {
            Place::File(file) => send(&file, request).await,
            Place::Folder(place) => listing::list(self, &place, path),
            Place::FolderWithoutSlash => {
                let query = request.uri().query().map(|query| format!("?{query}"));
                let location = format!("{path}/{}", query.unwrap_or_default());
                moved(StatusCode::TEMPORARY_REDIRECT, &location)
            }
            Place::Nowhere => not_found("There is no such file."),
        }
    }
}

async fn send(file: &Path, request: Request<Incoming>) -> Answer {
    match ServeFile::new(file).try_call(request).await {
        Ok(response) => in_one_piece(response.map(BodyExt::boxed_unsync)).await,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            not_found("The file has just gone.")
        }
        Err(_) => {
            let why = whole("This file cannot be read.");
            status(
                StatusCode::FORBIDDEN,
                answer::answer("text/plain; charset=utf-8", why),
            )
        }
    }
}

/// Files up to this size, in bytes, are read before their head is sent.
const SMALL: u64 = 64 * 1024;

/// Sends a small file together with its head, as most file servers do. Otherwise each
/// small file would cost the client two reads.
async fn in_one_piece(response: Answer) -> Answer {
    let (head, body) = response.into_parts();
    if body.size_hint().upper().is_none_or(|bytes| bytes > SMALL) {
        return Answer::from_parts(head, body);
    }
    match body.collect().await {
        Ok(body) => Answer::from_parts(head, whole(body.to_bytes())),
        Err(_) => not_found("The file cannot be read."),
    }
}
