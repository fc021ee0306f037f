//! Serves the files of a folder, and nothing outside it.

use std::io;
use std::path::Path;

use http_body_util::BodyExt;
use hyper::body::{Body as _, Incoming};
use hyper::{Request, StatusCode};
use tower_http::services::ServeFile;

use crate::answer::{Answer, moved, not_found, page, status, whole};
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
        let place = self.locate(path);
        match &place {
            Place::File(file) | Place::CleanUrl(file) => send(file, request).await,
            Place::List(folder) => listing::list_folder(self, folder, path),
            Place::FolderWithoutSlash => {
                let query = request.uri().query().map(|query| format!("?{query}"));
                let location = format!("{path}/{}", query.unwrap_or_default());
                moved(StatusCode::TEMPORARY_REDIRECT, &location)
            }
            Place::Unreadable => status(StatusCode::FORBIDDEN, why(&place)),
            Place::OutsideBase => status(StatusCode::NOT_FOUND, why(&place)),
            Place::LeadsOut | Place::Nowhere => {
                let page = match self.page_for_missing() {
                    Some(page) => send(&page, Request::new(())).await,
                    None => why(&place),
                };
                status(StatusCode::NOT_FOUND, page)
            }
        }
    }
}

/// Makes a page that gives the reason why the place is not served.
fn why(place: &Place) -> Answer {
    let why = place.problem().unwrap_or("there is no such file or folder");
    page("Not served", &format!("<p>This is not served: {why}.</p>"))
}

async fn send<B: Send + 'static>(file: &Path, request: Request<B>) -> Answer {
    match ServeFile::new(file).try_call(request).await {
        Ok(response) => in_one_piece(response.map(BodyExt::boxed_unsync)).await,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            not_found("The file has just gone.")
        }
        Err(_) => status(StatusCode::INTERNAL_SERVER_ERROR, cannot_be_read()),
    }
}

fn cannot_be_read() -> Answer {
    page("Not served", "<p>The file cannot be read.</p>")
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
        Err(_) => status(StatusCode::INTERNAL_SERVER_ERROR, cannot_be_read()),
    }
}
