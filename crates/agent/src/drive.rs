//! The thin driver: does what the state says, tells the state what came of it, and writes everything down before it counts.

use legwork_types::model::{MicroUsd, ModelRequest, Picture as Jpeg, Usage};

use crate::{
    budget::{Left, Reserve},
    call::{Act, Look},
    decide::{HeardCall, Input, Resuming},
    errand::Errand,
    event::{ActNote, Answer, Commit, Entry, Event, Heard, PageNote, Purpose, Question, Ruling, Thrift},
    mind::{Handover, Mind},
    next::{Effect, Manner, Picture},
    outcome::Outcome,
    spec::Spec,
    trouble::Trouble,
};

/// All that an errand needs of the world. Whoever joins an errand to a browser, a model and people implements this.
pub trait Ports {
    /// Milliseconds that the errand has taken. What people took to answer does not count.
    fn at(&self) -> u64;

    /// Whether somebody wants the errand to stop after this step.
    fn is_interrupted(&self) -> bool;

    /// Writes entries down. When this returns, they last.
    fn record(&mut self, entries: &[Entry]) -> impl Future<Output = Result<(), Trouble>>;

    /// What a request to this model may take at most.
    fn reserve(&self, mind: Mind, request: &ModelRequest) -> Reserve;

    /// What happened since this was last asked that nobody asked for.
    fn besides(&mut self) -> Happened;

    /// The errand is over: from now on nothing can be said yes to. What was said by then is carried out, and what came of it told.
    fn leave(&mut self) -> impl Future<Output = Happened>;

    /// Asks a model. Further attempts and all its time stay within what is left.
    fn ask(
        &mut self,
        mind: Mind,
        purpose: Purpose,
        request: &ModelRequest,
        left: Left,
    ) -> impl Future<Output = Result<(Heard, Vec<HeardCall>), AskFailure>>;

    /// The picture of this name.
    fn picture(&self, name: &str) -> Option<Jpeg>;

    /// Opens the first page and looks at it.
    fn open(
        &mut self,
        url: Option<&str>,
        picture: Seeing<'_>,
    ) -> impl Future<Output = Result<PageNote, Trouble>>;

    /// Loads a page again that crashed, and looks at it. What is in `commits` is not sent again.
    fn reload(
        &mut self,
        url: &str,
        commits: &[Commit],
        picture: Seeing<'_>,
    ) -> impl Future<Output = Result<PageNote, Trouble>>;

    /// Gets another browser instead of one that is gone, opens the first page there and looks at it. What is in `commits` is not sent
    /// again.
    fn reconnect(
        &mut self,
        url: Option<&str>,
        commits: &[Commit],
        thrift: Thrift,
        picture: Seeing<'_>,
    ) -> impl Future<Output = Result<PageNote, Trouble>>;

    /// Looks at the page, or at a part of it.
    fn look(
        &mut self,
        part: &Look,
        picture: Seeing<'_>,
        manner: Manner,
    ) -> impl Future<Output = Result<PageNote, Trouble>>;

    /// The words of the page, in a fence.
    fn read(
        &mut self,
        within: Option<legwork_types::contract::ActionId>,
    ) -> impl Future<Output = Result<String, Trouble>>;

    /// What comes of an act that is not done whatever somebody says to it: then nobody is asked. None where a yes would count.
    fn refused(&mut self, _: &Order<'_>) -> impl Future<Output = Option<ActNote>> {
        std::future::ready(None)
    }

    /// Acts. A permit is written down before anything is done; what was written is given back with what came of it.
    fn act(&mut self, order: Order<'_>) -> impl Future<Output = (Vec<Entry>, ActNote)>;

    /// Waits until a question on the wire is answered.
    fn await_ruling(&mut self, approval: &str) -> impl Future<Output = Ruling>;

    /// Asks somebody.
    fn ask_person(&mut self, question: &Question) -> impl Future<Output = Answer>;
}

/// What happened that nobody asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Happened {
    /// A line each.
    pub lines: Vec<String>,
    /// Whether somebody said yes to something that an act led to, and that leaves when the act is done again.
    pub again: bool,
    /// What of it somebody said yes to: it left, or may have.
    pub commits: Vec<Commit>,
}

impl Happened {
    fn is_nothing(&self) -> bool {
        self.lines.is_empty() && !self.again && self.commits.is_empty()
    }
}

/// Whether the model is to see the page, and what it has seen.
#[derive(Clone, Copy)]
pub struct Seeing<'a> {
    /// Whether a picture is wanted.
    pub picture: Picture,
    /// What was seen before.
    pub errand: &'a Errand,
}

impl Seeing<'_> {
    /// Whether a picture is wanted of this page.
    pub fn wants(&self, page: &PageNote) -> bool {
        match self.picture {
            Picture::Wanted => true,
            Picture::No => false,
            Picture::IfNeeded => page.is_drawn || !self.errand.has_seen(page.place()),
        }
    }

    /// The same after something went wrong there.
    #[must_use]
    pub fn after_failure(self) -> Self {
        match self.picture {
            Picture::No => self,
            Picture::Wanted | Picture::IfNeeded => Self { picture: Picture::Wanted, ..self },
        }
    }
}

/// An act that is to be done.
pub struct Order<'a> {
    /// Its number in the log.
    pub number: u32,
    /// What.
    pub act: &'a Act,
    /// The look that it was decided on.
    pub observation: &'a str,
    /// Whether the model is to see the page afterwards.
    pub seeing: Seeing<'a>,
    /// Why it is to be taken for dangerous whatever it seems: then whatever leaves because of it is asked about.
    pub caution: Option<String>,
}

/// Why a model could not be asked.
#[derive(Debug, Clone, PartialEq)]
pub struct AskFailure {
    /// What went wrong.
    pub trouble: Trouble,
    /// What it took all the same.
    pub usage: Usage,
    /// What that cost.
    pub money: MicroUsd,
    /// Who could go on instead; none where there is nobody, or nobody could do better.
    pub another: Option<Handover>,
    /// Whether it did answer, and at greater length than anybody reads: whoever is told so may do better.
    pub is_too_long: bool,
}

/// How an errand was driven to its end.
#[derive(Debug)]
pub struct Driven {
    /// The state at the end.
    pub errand: Errand,
    /// How it ended; what went wrong where its log could not be written.
    pub outcome: Result<Outcome, Trouble>,
}

/// Runs an errand to its end.
pub async fn drive(spec: Spec, ports: &mut impl Ports) -> Driven {
    let (errand, started) = Errand::begin(spec);
    let begun = ports.record(std::slice::from_ref(&started)).await;
    to_the_end(errand, begun, ports).await
}

/// Goes on with an errand that another process has left, as its log leads to it, and runs it to its end.
pub async fn resume(mut errand: Errand, resuming: Resuming, ports: &mut impl Ports) -> Driven {
    let begun = take(&mut errand, ports, Input::Resumed(resuming)).await;
    to_the_end(errand, begun, ports).await
}

async fn to_the_end(mut errand: Errand, begun: Result<(), Trouble>, ports: &mut impl Ports) -> Driven {
    let ended = match begun {
        Ok(()) => run(&mut errand, ports).await,
        Err(trouble) => Err(trouble),
    };
    let Happened { lines, commits, .. } = ports.leave().await;
    let mut written = Ok(());
    if !lines.is_empty() || !commits.is_empty() {
        let event = Event::Besides { happened: lines, again: false, commits };
        let late = Entry { at: ports.at(), event };
        written = ports.record(std::slice::from_ref(&late)).await;
        errand.apply(&late.event);
    }
    let outcome = ended.and_then(|outcome| written.map(|()| errand.outcome.clone().unwrap_or(outcome)));
    Driven { errand, outcome }
}

async fn run(errand: &mut Errand, ports: &mut impl Ports) -> Result<Outcome, Trouble> {
    // What ports do is large, and each of them waits on the heap: several errands side by side would be too much for one stack.
    // What was reserved is what is asked: nothing that a model is told changes in between.
    let mut reserved = None;
    loop {
        if ports.is_interrupted() && !errand.is_interrupted {
            take(errand, ports, Input::Interrupted).await?;
        }
        let input = match errand.next() {
            Effect::Nothing(outcome) => return Ok(outcome.clone()),
            Effect::Stop => Input::Stop,
            // What was not begun is not begun any more.
            Effect::Act { .. } if errand.is_interrupted => Input::Stop,
            Effect::Reserve(purpose) => {
                let request = reserved.insert(request(errand, ports, purpose));
                Input::Estimated(ports.reserve(errand.mind(), request))
            }
            Effect::Ask(purpose) => {
                let request = reserved.take().unwrap_or_else(|| request(errand, ports, purpose));
                let left = errand.left(ports.at());
                match Box::pin(ports.ask(errand.mind(), purpose, &request, left)).await {
                    Ok((heard, calls)) => Input::Heard(heard, calls),
                    Err(failure) => Input::AskFailed(failure),
                }
            }
            Effect::Open { url, picture } => {
                looked(Box::pin(ports.open(url, Seeing { picture, errand })).await)
            }
            Effect::Reload { url, commits, picture } => {
                looked(Box::pin(ports.reload(url, commits, Seeing { picture, errand })).await)
            }
            Effect::Reconnect { url, commits, thrift, picture } => {
                looked(Box::pin(ports.reconnect(url, commits, thrift, Seeing { picture, errand })).await)
            }
            Effect::Look { part, picture, manner } => {
                looked(Box::pin(ports.look(&part, Seeing { picture, errand }, manner)).await)
            }
            Effect::Read { within } => match ports.read(within).await {
                Ok(words) => Input::Words(words),
                Err(trouble) => Input::LookFailed(trouble),
            },
            Effect::Act { number, act, picture } => {
                let (written, done) = Box::pin(ports.act(order(errand, number, act, picture))).await;
                written.iter().for_each(|entry| errand.apply(&entry.event));
                Input::Acted(Box::new(done))
            }
            Effect::AwaitRuling { approval } => Input::Ruled(ports.await_ruling(approval).await),
            Effect::AskPerson(question) => {
                let refused = match errand.waiting_act() {
                    Some((number, act, picture)) => {
                        Box::pin(ports.refused(&order(errand, number, act, picture))).await
                    }
                    None => None,
                };
                match refused {
                    Some(done) => Input::Acted(Box::new(done)),
                    None => Input::Said(ports.ask_person(question).await),
                }
            }
        };
        let happened = ports.besides();
        if !happened.is_nothing() {
            take(errand, ports, Input::Besides(happened)).await?;
        }
        // Whoever called it off while something was waited for is heard before what came of that.
        if ports.is_interrupted() && !errand.is_interrupted {
            take(errand, ports, Input::Interrupted).await?;
        }
        take(errand, ports, input).await?;
    }
}

/// What follows from an input is written down first, and counts then.
async fn take(errand: &mut Errand, ports: &mut impl Ports, input: Input) -> Result<(), Trouble> {
    let at = ports.at();
    let entries: Vec<Entry> = errand.decide(at, input).into_iter().map(|event| Entry { at, event }).collect();
    let written = ports.record(&entries).await;
    // What can't be written down has happened all the same, and is told; but nothing more is done.
    entries.iter().for_each(|entry| errand.apply(&entry.event));
    written
}

fn request(errand: &Errand, ports: &impl Ports, purpose: Purpose) -> ModelRequest {
    let name = errand.page().and_then(|page| page.picture.as_deref()).filter(|_| purpose == Purpose::Turn);
    errand.request(purpose, name.and_then(|name| ports.picture(name)))
}

fn order<'a>(errand: &'a Errand, number: u32, act: &'a Act, picture: Picture) -> Order<'a> {
    let observation = errand.page().map(|page| page.observation.as_str()).unwrap_or_default();
    Order { number, act, observation, seeing: Seeing { picture, errand }, caution: errand.caution(act) }
}

fn looked(seen: Result<PageNote, Trouble>) -> Input {
    match seen {
        Ok(page) => Input::Looked(Box::new(page)),
        Err(trouble) => Input::LookFailed(trouble),
    }
}

/// Whether a log keeps the first rule: nothing left for a page that was not permitted before.
pub fn is_permitted_throughout(entries: &[Entry]) -> bool {
    let mut permitted = None;
    entries.iter().all(|entry| match &entry.event {
        Event::Permitted { number, .. } => {
            permitted = Some(*number);
            true
        }
        Event::Acted { number, done } => !done.dispatched || permitted == Some(*number),
        _ => true,
    })
}
