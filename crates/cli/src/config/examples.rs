//! The examples of a file, each with where it stands. They are judged when the file is read, and once more beside the options:
//! these may narrow what the file allows, but no option silently allows what an example says is denied.

use legwork_runtime::{
    Access, Mode, PlaceExample, PrepareRule, Reach, RequestExample, Surprise, WirePolicy, slips::line_at,
};
use legwork_types::{Code, Problem};

use super::{shape::FileRules, written::WebAddress};

/// All examples of a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Examples {
    file: String,
    places: Vec<Marked<PlaceExample>>,
    requests: Vec<Marked<RequestExample>>,
}

#[derive(Debug, Clone)]
struct Marked<T> {
    /// `hosts.example number 2`
    name: String,
    line: usize,
    example: T,
}

impl Examples {
    pub(super) fn of(rules: &FileRules, text: &str, file: &str) -> Self {
        let places = rules.hosts.example.iter().enumerate().map(|(at, written)| Marked {
            name: format!("hosts.example number {}", at + 1),
            line: line_at(text, written.url.span().start),
            example: PlaceExample { url: written.url.get_ref().clone(), expected: written.expect.into() },
        });
        let of_rules = rules.prepare.iter().enumerate();
        let of_rules = of_rules.flat_map(|(rule, prepare)| {
            prepare.example.iter().enumerate().map(move |(at, written)| (rule + 1, at + 1, written))
        });
        let requests = of_rules.map(|(rule, at, written)| Marked {
            name: format!("example number {at} of prepare number {rule}"),
            line: line_at(text, written.url.span().start),
            example: RequestExample {
                method: written.method.clone(),
                url: written.url.get_ref().0.clone(),
                page: written.page.clone().map(|WebAddress(page)| page),
                fields: written.fields.clone().into_iter().collect(),
                form: written.form.into(),
                expected: written.expect,
            },
        });
        Self { file: file.to_owned(), places: places.collect(), requests: requests.collect() }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.places.len() + self.requests.len()
    }

    /// Whether all come out as written by the rules of their own file.
    pub(super) fn check(&self, rules: &FileRules) -> Result<(), Problem> {
        let reach = rules.reach();
        for one in &self.places {
            one.example.check(&reach).map_err(|surprise| self.refusal(one, &one.example.url, &surprise))?;
        }
        let (sites, prepare) = (rules.sites(), rules.prepare_rules());
        let mode = rules.mode.map_or(Mode::default(), Into::into);
        self.check_requests(WirePolicy { mode, sites: &sites, prepare: &prepare }, |_| true)
    }

    /// Whether what is said to be denied stays so beside the options.
    pub(crate) fn stay_denied(&self, reach: &Reach) -> Result<(), Problem> {
        let denied = self.places.iter().filter(|one| one.example.expected == Access::Denied);
        for one in denied {
            let refused = |surprise| beside_options(self.refusal(one, &one.example.url, &surprise));
            one.example.check(reach).map_err(refused)?;
        }
        Ok(())
    }

    /// Whether requests stay what they are said to be beside the options. What becomes of them follows the mode, which options choose.
    pub(crate) fn stay_what_they_are(&self, prepare: &[PrepareRule]) -> Result<(), Problem> {
        let policy = WirePolicy { mode: Mode::default(), sites: &[], prepare };
        self.check_requests(policy, |example| example.expected.is_class()).map_err(beside_options)
    }

    fn check_requests(
        &self,
        policy: WirePolicy<'_>,
        counts: impl Fn(&RequestExample) -> bool,
    ) -> Result<(), Problem> {
        for one in self.requests.iter().filter(|one| counts(&one.example)) {
            let shown = format!("{} {}", one.example.method, one.example.url);
            one.example.check(policy).map_err(|surprise| self.refusal(one, &shown, &surprise))?;
        }
        Ok(())
    }

    fn refusal<T>(&self, one: &Marked<T>, shown: &str, surprise: &Surprise) -> Problem {
        let Marked { name, line, .. } = one;
        let message = format!("{}, line {line}: {name} does not come out as written", self.file);
        let hint = match surprise.found {
            "commit" => "danger is stronger than any rule: take the example for what it is, or the rule away",
            "no address" => "write the whole address: http:// or https://, a host, a path",
            _ => "mend the rule or the example: one of them says something else than you mean",
        };
        Problem::new(Code::ConfigInvalid, message, hint).because(format!("{shown}: {surprise}"))
    }
}

fn beside_options(problem: Problem) -> Problem {
    let cause = problem.cause.unwrap_or_default();
    let hint = "take back the option or the variable that allows it, or the example";
    Problem::new(problem.code, problem.message, hint)
        .because(format!("{cause}; options and variables of the environment count here"))
}
