//! The roles of the book. Each has one color, in every figure and in its key.

/// What part a thing plays, whatever its shape is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Os,
    /// An event loop, an executor, a reactor.
    Loop,
    Task,
    Waker,
    /// What remembers where to go on: a future, a frame, a callback's struct.
    Future,
    /// Queues, tables and other code: without a color.
    Data,
}

impl Role {
    pub(super) fn read(word: &str) -> Result<Role, String> {
        match word {
            "os" => Ok(Role::Os),
            "loop" => Ok(Role::Loop),
            "task" => Ok(Role::Task),
            "waker" => Ok(Role::Waker),
            "future" => Ok(Role::Future),
            "data" => Ok(Role::Data),
            other => Err(format!(
                "`{other}`: a role is os, loop, task, waker, future or data"
            )),
        }
    }

    /// The class that colors it.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Role::Os => "role-os",
            Role::Loop => "role-loop",
            Role::Task => "role-task",
            Role::Waker => "role-waker",
            Role::Future => "role-future",
            Role::Data => "role-data",
        }
    }
}
