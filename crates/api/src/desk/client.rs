//! The side of the socket that a terminal has: the desks of all running instances of this user.

use std::{io, path::PathBuf, time::Duration};

use legwork_runtime::{Answer, running};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::UnixStream,
    time::timeout,
};

use super::protocol::{Asked, LONGEST_TOLD, Told, Word};
use crate::Shown;

/// How long a desk may take to answer. One that does not is passed over.
const PATIENCE: Duration = Duration::from_secs(5);

/// The desks of all running instances of this user.
#[derive(Debug)]
pub struct Desks(Vec<PathBuf>);

/// What became of an answer that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answered {
    /// It counts.
    Taken,
    /// It was decided before, in a word.
    Decided(String),
}

/// No instance that runs has the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoAnswer;

impl Desks {
    /// Finds them. What killed instances left is removed.
    pub fn find() -> Self {
        Self(running().into_iter().map(|running| running.socket).collect())
    }

    /// What waits, the oldest first.
    pub async fn waiting(&self) -> Vec<Shown> {
        let mut all = vec![];
        for desk in &self.0 {
            if let Ok(Told::List { questions }) = ask(desk, &Asked::List).await {
                all.extend(questions);
            }
        }
        all.sort_by(|one, other| (&one.asked, &one.id).cmp(&(&other.asked, &other.id)));
        all
    }

    /// One question, whether it waits or not.
    pub async fn show(&self, id: &str) -> Result<Shown, NoAnswer> {
        for desk in &self.0 {
            if let Ok(Told::Question { question }) = ask(desk, &Asked::Show { id: id.to_owned() }).await {
                return Ok(*question);
            }
        }
        Err(NoAnswer)
    }

    /// Answers a question.
    pub async fn answer(&self, id: &str, answer: Answer) -> Result<Answered, NoAnswer> {
        let answer = match answer {
            Answer::Yes => Word::Yes,
            Answer::YesForErrand => Word::Errand,
            Answer::No => Word::No,
        };
        for desk in &self.0 {
            match ask(desk, &Asked::Answer { id: id.to_owned(), answer }).await {
                Ok(Told::Taken) => return Ok(Answered::Taken),
                Ok(Told::Decided { standing }) => return Ok(Answered::Decided(standing)),
                _ => {}
            }
        }
        Err(NoAnswer)
    }
}

async fn ask(desk: &PathBuf, asked: &Asked) -> io::Result<Told> {
    let exchange = async {
        let (read, mut write) = UnixStream::connect(desk).await?.into_split();
        let mut line = serde_json::to_vec(asked)?;
        line.push(b'\n');
        write.write_all(&line).await?;
        let mut told = String::new();
        BufReader::new(read.take(LONGEST_TOLD)).read_line(&mut told).await?;
        Ok(serde_json::from_str(&told)?)
    };
    timeout(PATIENCE, exchange).await?
}
