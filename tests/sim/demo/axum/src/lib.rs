//! axum without its feature `tokio`, which asks for sockets; and `ConnectInfo`, which
//! comes only with that feature.
#![forbid(unsafe_code)]

pub use axum::*;

/// What handlers take out of a request.
pub mod extract {
    pub use axum::extract::*;
    use axum::http::StatusCode;
    use axum::http::request::Parts;

    /// What the server knows of the connection that a request came from. The server puts
    /// it into each request.
    #[derive(Clone, Copy, Debug)]
    pub struct ConnectInfo<T>(pub T);

    impl<S, T> FromRequestParts<S> for ConnectInfo<T>
    where
        S: Send + Sync,
        T: Clone + Send + Sync + 'static,
    {
        type Rejection = StatusCode;

        async fn from_request_parts(
            parts: &mut Parts,
            _: &S,
        ) -> Result<Self, StatusCode> {
            let info = parts.extensions.get::<ConnectInfo<T>>().cloned();
            info.ok_or(StatusCode::INTERNAL_SERVER_ERROR)
        }
    }
}
