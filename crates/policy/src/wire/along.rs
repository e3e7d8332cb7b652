//! What is sent along to a place that is known: a basket, a step of a checkout, the first of several steps. Any of it may be the deed,
//! whatever the place is called.

use super::{
    Decoded, Field, Place,
    evidence::is_number,
    lists::{
        BASKET, BECOMES, BESIDE, LED, NEUTRAL, ON_WRITES, PAIRS, PREFERENCES, PREPARE, SHOP_FIELDS, SOFT,
        STRONG,
    },
    prepares::is_known,
    words::{any_in_line, first_on, first_on_or_plural, is_harmless, is_in_line, is_on, pair_on, words},
};

/// Names of fields that say what is to be done, and nothing else.
pub(super) const CLEAR_ACTIONS: &str = "action|act|op|oper|operation|cmd|command|func|function|verb|rpc|call|procedure|intent|eventtarget|eventargument|ajax|aktion|accion|acao|azione|akcja|действие|操作|event|task|trigger|job|handler|do|todo|commit|submit|button|btn|route|controller|fn|then|dispatch";

/// Those of them that also say no more than that something is sent: `ajax=1`.
const BUTTONS: &str = "ajax|submit|commit|button|btn|do";

/// Names of fields that say what becomes of something.
const FATES: &str = "mode|flow|what|status|stage|phase|transition|workflow|lifecycle|visibility|privacy|folder|module|decision|outcome|instruction";

/// Beginnings of the names of controls: what follows is what they do (`_eventId_proceed`).
const CONTROLS: &str = "action|event|submit|btn|button|cmd|command|do|op|handler|method|task|dispatch";

/// Parts of names that say nothing by themselves: what stands before them does.
const EMPTY_NAMES: &str = "x|y|value|enabled|checked|active|flag|type|kind|name|id|key|selected";

/// Words that settle nothing in an address, but may where somebody says yes to them.
const ANSWERED: &str = "create|apply|checkout|post|continue|ok|do|account|accounts|user|get|action|move";

/// Words of what forms ask for and many people leave blank, and of buttons that say no more than that something goes on. None is a deed.
const LEFT_BLANK: &str = "apt|apartment|suite|floor|building|unit|door|entrance|intercom|stairs|fax|mobile|tel|prefix|suffix|birthday|birth|dob|vat|tax|ust|siret|nif|cif|dni|cpf|cnpj|instruction|instructions|special|remark|remarks|gift|card|giftcard|certificate|referral|ref|source|utm|campaign|affiliate|website|homepage|hp|honeypot|honey|district|neighborhood|neighbourhood|bairro|complemento|numero|number|house|packstation|postnummer|po|box|pobox|newsletter|marketing|opt|optin|reference|customer|your|cost|center|centre|costcentre|department|attention|attn|care|of|co|recipient|nickname|alias|label|point|location|file|fileupload|image|personalisation|personalization|engraving|form|submit|button|btn|action|continue|proceed|next|checkout|weiter|suivant|siguiente|avanti|dalej|continuar|далее";

/// Names of fields that hold what somebody writes for others to read.
const FREE_TEXT: &str = "text|note|notes|title|body|content|message|comment|comments|name|description|html|street|city|town|company|address|line|q|query|search|term|keyword|reason";

/// The part of a name that tells what it is about.
pub(super) fn telling(name: &str) -> &str {
    let mut pieces = name
        .rsplit(['.', '[', ']', '$', ':'])
        .filter(|piece| piece.chars().any(char::is_alphabetic))
        .peekable();
    let last = pieces.peek().copied().unwrap_or(name);
    let says_something =
        |piece: &&str| !words(piece).iter().all(|word| is_in_line(word, EMPTY_NAMES) || is_number(word));
    pieces.find(says_something).unwrap_or(last)
}

/// What fields say that is to be done, and what hangs on an address as the name of a deed.
pub(super) fn actions(decoded: &Decoded) -> Vec<&str> {
    let said = decoded.all().filter_map(|field| {
        let said = words(telling(&field.name));
        let is_named = |line: &str| {
            said.iter().any(|word| {
                is_in_line(word, line) || word.strip_suffix('s').is_some_and(|one| is_in_line(one, line))
            })
        };
        let says_nothing = is_named(BUTTONS) && field.value.chars().all(|c| c.is_ascii_digit());
        match field.place {
            Place::Query if field.name.starts_with('/') => Some(field.name.as_str()),
            _ if is_named(CLEAR_ACTIONS) && !says_nothing => Some(field.value.as_str()),
            _ if calls(decoded, field) || is_told_to_a_program(decoded, field) => Some(field.value.as_str()),
            _ => None,
        }
    });
    said.filter(|deed| !deed.is_empty()).collect()
}

/// Whether it names the procedure that is called.
fn calls(decoded: &Decoded, field: &Field) -> bool {
    let is_called = |name: &str| {
        let mut pieces = name.split('.').skip_while(|piece| piece.parse::<usize>().is_ok());
        matches!(pieces.next(), Some("jsonrpc" | "params"))
    };
    field.name.rsplit('.').next() == Some("method")
        && decoded.fields.iter().any(|field| is_called(&field.name))
}

/// Whether it tells a program which of its methods is meant.
fn is_told_to_a_program(decoded: &Decoded, field: &Field) -> bool {
    let endings = [".do", ".action", ".jsp", ".php", ".cfm", ".asp", ".aspx", ".cgi"];
    field.name == "method" && endings.iter().any(|ending| decoded.address.path.ends_with(ending))
}

/// Whether nothing of what is sent along may be a deed.
pub(super) fn is_calm(decoded: &Decoded) -> bool {
    let known = |deed: &&str| {
        let said = words(deed);
        is_known(&said) && !said.iter().all(|word| is_number(word))
    };
    actions(decoded).iter().all(known) && decoded.all().filter(|field| !is_of_graphql(field)).all(is_quiet)
}

/// Whether a field is what every request to a GraphQL server has: that is read elsewhere.
fn is_of_graphql(field: &Field) -> bool {
    let mut pieces = field.name.split('.').skip_while(|piece| piece.parse::<usize>().is_ok());
    let (first, second) = (pieces.next(), pieces.next());
    field.place == Place::GraphQl
        && (matches!(first, Some("operationName" | "extensions"))
            || (matches!(first, Some("query" | "mutation")) && second.is_none()))
}

/// Whether one field settles nothing by itself.
fn is_quiet(field: &Field) -> bool {
    let name = telling(&field.name);
    let said = words(name);
    let value = field.value.trim();
    // What somebody wants engraved is theirs.
    let is_text = any_in_line(&said, FREE_TEXT) || is_wish(&field.name);
    let told = words(&super::evidence::beginning(value));
    // Without a name, what is said is all that tells.
    let is_nameless = !field.name.chars().any(char::is_alphabetic);
    if is_nameless && !is_known(&told) {
        return false;
    }
    // Nobody reads what is written in another language within a field.
    if value.starts_with('<') && !is_text {
        return false;
    }
    // What was pressed is sent with its own name for a value.
    let is_pressed = !value.is_empty() && value == field.name;
    let is_picture = field.name.ends_with(".x") || field.name.ends_with(".y");
    let is_bare = field.place == Place::Query && value.is_empty();
    if !names_a_known_deed(&field.name) {
        return false;
    }
    if (is_pressed || is_picture || is_bare || is_yes(value)) && !is_answered(&field.name, &said) {
        return false;
    }
    // A button without a value looks like a field that nobody filled in.
    if value.is_empty() && !is_text && !is_wish(&field.name) && !is_left_blank(&said) {
        return false;
    }
    let has_fate = any_in_line(&said, FATES) && first_on_or_plural(&said, &PREPARE).is_none();
    if has_fate && (!is_known(&told) || told.iter().all(|word| is_number(word))) {
        return value.is_empty();
    }
    // A state of a country has a name or two letters, what something has come to has a number.
    if any_in_line(&said, "state") && !value.is_empty() && value.chars().all(|c| c.is_ascii_digit()) {
        return false;
    }
    let leads = first_on(&said, &LED).is_some() && value.contains(['/', '.']);
    is_text || leads || !settles(&told)
}

/// Whether a few words say that something is settled.
fn settles(told: &[String]) -> bool {
    // By itself such a word may be a thing or a place.
    const THINGS: &str = "post|posts|message|messages|comment|comments|book|share|trade|forward|application|close|sign|signature|reply";
    let is_written =
        |word: &String| (2..=4).contains(&told.len()) && is_on(word, &ON_WRITES) && !is_in_line(word, THINGS);
    let is_risky = |word: &String| {
        is_on(word, &STRONG) || is_on(word, &SOFT) || is_on(word, &BECOMES) || is_written(word)
    };
    told.len() <= 5
        && (told.iter().any(|word| is_risky(word) && !is_harmless(word, told))
            || pair_on(told, PAIRS).is_some())
}

/// Whether a value says yes.
fn is_yes(value: &str) -> bool {
    const YES: &str = "1|true|yes|y|on|ok|now|ja|jetzt|oui|si|sí|sim|tak|ano|evet|da|да|так|是|はい|예|نعم|כן|checked|selected";
    is_in_line(&value.to_lowercase(), YES)
}

/// Whether a name that begins like that of a control goes on with words that are known.
fn names_a_known_deed(name: &str) -> bool {
    let said: Vec<String> = words(name).into_iter().filter(|word| !is_number(word)).collect();
    let Some((first, rest)) = said.split_first() else { return true };
    let known: Vec<String> = rest.iter().filter(|word| !is_in_line(word, EMPTY_NAMES)).cloned().collect();
    !is_in_line(first, CONTROLS) || is_known(&known)
}

/// Whether it is what somebody wishes for one thing in a basket, which may have any name.
fn is_wish(name: &str) -> bool {
    name.split(['.', '[', ']']).any(|piece| piece == "properties")
}

/// Whether every word of a name is one of what may be left blank, or settles nothing even with a yes.
fn is_left_blank(said: &[String]) -> bool {
    let applies_code = any_in_line(said, "coupon|voucher|promo|discount");
    said.iter().all(|word| {
        is_in_line(word, LEFT_BLANK) || (word == "apply" && applies_code) || is_harmless_yes(word, said)
    })
}

/// Whether a yes to this is known to settle nothing.
fn is_answered(name: &str, said: &[String]) -> bool {
    is_wish(name) || said.iter().all(|word| is_harmless_yes(word, said))
}

/// Whether one word of a name settles nothing where somebody says yes to it.
fn is_harmless_yes(word: &String, said: &[String]) -> bool {
    let listed = [&BESIDE, &LED, &PREFERENCES, &NEUTRAL, &SHOP_FIELDS];
    let plural = |list| first_on_or_plural(std::slice::from_ref(word), list).is_some();
    is_number(word)
        || word.chars().count() == 1
        || (word == "post" && any_in_line(said, "code"))
        || (!is_in_line(word, ANSWERED)
            && (listed.iter().any(|list| is_on(word, list)) || plural(&BASKET) || plural(&PREPARE)))
}
