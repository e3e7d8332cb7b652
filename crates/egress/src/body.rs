//! Bodies on their way: passed on piece by piece as they come, never gathered.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use http_body_util::{Either, Empty, Full};
use hyper::body::{Body, Frame, Incoming, SizeHint};

use crate::pool::Lease;

/// What goes to a place: the browser's body, or none.
pub(crate) type Outbound = Either<Incoming, Empty<Bytes>>;

/// What goes to the browser: our own words, or what a place says.
pub(crate) enum Inbound {
    Words(Full<Bytes>),
    Page(Page),
}

/// The body of an answer. When all of it has come, its connection can be used again.
pub(crate) struct Page {
    body: Incoming,
    lease: Option<Lease>,
}

impl Page {
    pub(crate) fn new(body: Incoming, lease: Lease) -> Self {
        let lease = if body.is_end_stream() {
            lease.give_back();
            None
        } else {
            Some(lease)
        };
        Self { body, lease }
    }
}

impl Body for Page {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        let is_all = match &frame {
            None => true,
            Some(Ok(_)) => self.body.is_end_stream(),
            Some(Err(_)) => {
                self.lease = None;
                false
            }
        };
        if let (true, Some(lease)) = (is_all, self.lease.take_if(|_| is_all)) {
            lease.give_back();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Body for Inbound {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        match &mut *self {
            Self::Words(words) => Pin::new(words).poll_frame(cx).map_err(|never| match never {}),
            Self::Page(page) => Pin::new(page).poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Words(words) => words.is_end_stream(),
            Self::Page(page) => page.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Words(words) => words.size_hint(),
            Self::Page(page) => page.size_hint(),
        }
    }
}
