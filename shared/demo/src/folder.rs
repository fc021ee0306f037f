//! The files of a folder, and nothing outside it.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use percent_encoding::percent_decode_str;
use tower_http::services::ServeFile;

use crate::listing;
use crate::trouble::not_found;

/// A site made of the files in `folder`; an error when it is not a folder.
pub(crate) fn router(folder: &Path) -> io::Result<Router> {
    let folder = folder.canonicalize()?;
    if !folder.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    let answer = get(answer).with_state(Arc::new(Folder { root: folder }));
    Ok(Router::new().fallback_service(answer))
}

/// A folder that is served. Its own name has no links in it, so what is inside can be
/// told by how a name begins.
pub(crate) struct Folder {
    root: PathBuf,
}

/// What a path of the site stands for.
pub(crate) enum Place {
    File(PathBuf),
    /// A folder with its address written as a folder's, with a slash at its end.
    Folder(PathBuf),
    /// A folder whose address lacks that slash: relative links would start one level
    /// too high.
    FolderWithoutSlash,
    Nowhere,
}

impl Folder {
    /// What `path`, still percent-encoded, stands for.
    pub(crate) fn locate(&self, path: &str) -> Place {
        let (names, slash) = match path.strip_suffix('/') {
            Some(names) => (names, true),
            None => (path, false),
        };
        let Some(place) = self.inside(names) else { return Place::Nowhere };
        match (place.is_dir(), slash) {
            (true, true) => self.index_of(place),
            (true, false) => Place::FolderWithoutSlash,
            (false, true) => Place::Nowhere,
            (false, false) => file(place),
        }
    }

    /// A folder shows its `index.html`, if that is not a link to somewhere else.
    fn index_of(&self, folder: PathBuf) -> Place {
        let index = folder.join("index.html");
        match index.canonicalize() {
            Ok(real) if real.starts_with(&self.root) && real.is_file() => {
                Place::File(index)
            }
            _ => Place::Folder(folder),
        }
    }

    /// Where in the file system `names` are: none if that is not inside this folder,
    /// also when a link on the way leads out of it.
    fn inside(&self, names: &str) -> Option<PathBuf> {
        let mut place = self.root.clone();
        for encoded in names.split('/').skip(1) {
            let name = percent_decode_str(encoded).decode_utf8().ok()?;
            place.push(plain_name(&name)?);
        }
        place.canonicalize().ok()?.starts_with(&self.root).then_some(place)
    }
}

/// Devices and pipes are not served: reading one might never end.
fn file(place: PathBuf) -> Place {
    if place.is_file() { Place::File(place) } else { Place::Nowhere }
}

/// `name`, unless it is more than the name of one file: `..`, a separator, a drive.
fn plain_name(name: &str) -> Option<&str> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(part)), None) if part == name => Some(name),
        _ => None,
    }
}

/// Looks at the disk without leaving the thread: a local folder answers faster than
/// another thread could be woken. Reading the file is left to the library, which does
/// leave it.
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

/// Bytes of a file that are read before its head is sent.
const SMALL: usize = 64 * 1024;

/// A small file goes out together with its head, as from most servers of files: else a
/// client would have to read twice for each.
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
