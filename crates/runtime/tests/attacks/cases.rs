//! Every case of the catalogue, and how it is shown. The table of `docs/security.md` is written from here.

/// How a case is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// By a test of this suite.
    Here(&'static str),
    /// By a test elsewhere: its file, and its name.
    There(&'static str, &'static str),
    /// Not yet: it needs a part of Legwork that the sessions alone do not have.
    Needs(&'static str),
}

use Shown::{Here, Needs, There};

/// One case.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    pub(crate) id: &'static str,
    pub(crate) tried: &'static str,
    pub(crate) expected: &'static str,
    pub(crate) shown: Shown,
}

const fn case(id: &'static str, tried: &'static str, expected: &'static str, shown: Shown) -> Case {
    Case { id, tried, expected, shown }
}

const SPELLINGS: Shown = Here("a_places::no_spelling_of_an_address_leads_where_nobody_may_go");
const WAYS: Shown = Here("a_pages::no_page_leads_where_nobody_may_go");
const CONTROLS: Shown = Here("b_controls::whatever_a_control_says_nothing_is_settled_without_a_yes");
const THEMSELVES: Shown = Here("b_by_itself::what_a_page_does_by_itself_does_not_leave");
const SENDERS: Shown = Here("b_by_itself::whoever_sends_it_nothing_leaves_without_a_yes");
const FORMS: Shown = Here("b_by_itself::in_whatever_form_it_comes_a_write_is_a_write");
const YES: Shown = Here("c_yes::a_yes_is_good_for_what_was_shown_and_once");
const WHOSE: Shown = Here("c_questions::a_yes_is_for_one_session_and_a_no_for_the_rest_of_it");
const QUESTION: Shown = Here("c_questions::a_question_is_written_by_us_from_what_would_be_sent");
const UNSEEN: Shown = Here("d_texts::what_nobody_can_see_is_not_told");
const ORDERS: Shown = Here("d_orders::orders_that_nobody_could_recognise_settle_nothing");
const LOUD: Shown = Here("d_texts::what_a_page_says_stays_inside_its_fence_and_does_nothing");
const CARRIED: Shown = Here("e_data::what_was_read_on_one_site_does_not_go_to_another");
const NOWHERE_ELSE: Shown = There("crates/runtime/tests/secrets/main.rs", "a_secret_is_typed_nowhere_else");
const CANARIES: Shown =
    There("crates/cli/tests/canaries.rs", "no_artefact_holds_a_secret_or_what_a_login_is_kept_by");
const RESOLVER: Shown = There(
    "crates/egress/tests/denials.rs",
    "what_the_resolver_says_is_checked_whole_and_failures_are_told_apart",
);
const GATE: Shown = There("crates/cli/tests/mcp_http.rs", "only_this_machine_and_the_token_open_the_door");

/// All cases.
pub(crate) const CASES: &[Case] = &[
    case("A01", "this machine by its names and addresses", "refused; nobody comes there", SPELLINGS),
    case("A02", "this machine in decimal, hex, octal, short and full-width digits", "refused", SPELLINGS),
    case("A04", "addresses with an IPv4 one inside", "refused", SPELLINGS),
    case("A05", "tunnelled forms of private addresses", "refused", SPELLINGS),
    case("A07", "an allowed host as the user name of another", "refused", SPELLINGS),
    case("A08", "hosts that begin or end like an allowed one", "refused", SPELLINGS),
    case("A10", "hosts that look like an allowed one", "refused, named in punycode", SPELLINGS),
    case("A11", "addresses that parsers read differently", "refused", SPELLINGS),
    case(
        "A13",
        "redirects without end between allowed hosts",
        "end, told as a failure",
        Here("a_places::redirects_end"),
    ),
    case(
        "A14",
        "refresh, location, links and forms to a host that is not allowed",
        "refused on the wire",
        WAYS,
    ),
    case("A16", "frames, pictures, styles, hints to such a host", "refused", WAYS),
    case("A17", "scripts and workers of all kinds that ask such a host", "refused", WAYS),
    case("A19", "WebRTC to a listener on this machine", "no packet", WAYS),
    case("A20", "sockets and WebTransport to such a host", "none opens", WAYS),
    case("A22", "pings, beacons and reports to such a host", "no connection", WAYS),
    case(
        "A23",
        "a name whose address changes between check and dial",
        "the checked address is dialled",
        There(
            "crates/egress/tests/denials.rs",
            "a_name_is_looked_up_once_and_the_checked_address_is_dialled",
        ),
    ),
    case("A25", "names with private, empty, late or no answers", "refused, told apart", RESOLVER),
    case("A26", "an allowed host at another port", "refused", SPELLINGS),
    case(
        "A28",
        "ports of Legwork itself, in every spelling, though all else allows them",
        "refused",
        SPELLINGS,
    ),
    case("A29", "addresses of other schemes", "refused before the browser hears of them", SPELLINGS),
    case("A31", "scripts as addresses, links and forms", "not gone to; what they send is judged", WAYS),
    case(
        "A32",
        "links to programs of this machine",
        "none starts",
        There("crates/cli/tests/programs.rs", "no_link_starts_a_program_of_this_machine"),
    ),
    case(
        "A34",
        "a host that is taken from the list while a page of it is open",
        "cut, refused on the way back",
        Here("a_ways_out::nobody_comes_back_to_a_host_that_may_not_be_reached_any_more"),
    ),
    case(
        "A35",
        "a list with a broad star",
        "a warning at the start",
        There("crates/policy/tests/places.rs", "rules_are_read_or_refused_and_broad_ones_are_warned_about"),
    ),
    case(
        "A37",
        "the way out ends while a page loads",
        "no other way",
        There("crates/runtime/src/enclosure/tests.rs", "without_its_way_out_a_page_reaches_nobody"),
    ),
    case(
        "A38",
        "a server that poses as a proxy",
        "ignored",
        Here("a_answers::a_server_that_poses_as_a_proxy_is_told_nothing"),
    ),
    case(
        "A40",
        "a browser that somebody else started",
        "said to be degraded: nothing is settled and no secret typed in it, unless the operator vouches for it",
        Here("a_ways_out::in_a_browser_that_nobody_vouches_for_nothing_is_settled_and_no_secret_is_typed"),
    ),
    case(
        "B01",
        "a button that pays, in forms of all encodings",
        "not sent without a yes; once with it",
        CONTROLS,
    ),
    case("B02", "Enter and Space instead of a press", "the same", CONTROLS),
    case("B04", "buttons without words", "the same", CONTROLS),
    case("B05", "everything else that sends a form", "the same", CONTROLS),
    case("B07", "elements that listen, also in closed roots", "the same", CONTROLS),
    case("B08", "other languages, digits for letters, harmless words", "the same", CONTROLS),
    case("B10", "sent while typing, or some time after a press", "the same", THEMSELVES),
    case("B11", "sent when pointed at, scrolled, seen or loaded", "the same", THEMSELVES),
    case("B13", "two requests for one yes", "one leaves", YES),
    case(
        "B14",
        "addresses that do something when they are asked for",
        "asked about where the address tells",
        FORMS,
    ),
    case("B16", "all methods, overrides, GraphQL, JSON, bytes", "a write is a write", FORMS),
    case("B17", "beacons, keepalive, last words", "dropped or stopped, also while the tab closes", SENDERS),
    case(
        "B19",
        "service workers, and what a browser sends for a page by itself",
        "passed by, and judged themselves; off",
        Here("b_unseen::what_a_browser_sends_by_itself_does_not_leave_either"),
    ),
    case("B20", "workers and frames of all kinds", "judged", SENDERS),
    case("B22", "forms for other windows", "judged", SENDERS),
    case(
        "B23",
        "the first request of a tab",
        "judged",
        Here("b_first::the_first_request_of_a_tab_is_judged"),
    ),
    case("B25", "an approved request that is sent on elsewhere", "asked about anew", YES),
    case("B26", "reload, back and forward after a form", "not sent again", YES),
    case(
        "B28",
        "drag and drop; files",
        "stopped; only from named folders, and asked about",
        Here("b_files::a_file_of_a_named_folder_leaves_with_a_yes_and_no_other_at_all"),
    ),
    case("B29", "choices and ticks that save", "stopped", THEMSELVES),
    case("B31", "a page that pleads to stay", "left for our own navigation only", YES),
    case(
        "B32",
        "what a browser asks a person about",
        "not granted, nothing hangs",
        Here("d_wants::no_page_is_permitted_what_a_person_would_be_asked_about"),
    ),
    case(
        "B34",
        "a caller that wants other rules",
        "no tool has such a parameter",
        There("crates/mcp/tests/tools.rs", "no_tool_approves_and_none_runs_script"),
    ),
    case(
        "B35",
        "a caller that says it was confirmed",
        "ignored: the obedient caller says so in every row",
        CONTROLS,
    ),
    case(
        "B37",
        "dialogs, popovers and moved defaults that send",
        "stopped; a dialog alone is none of our business",
        CONTROLS,
    ),
    case(
        "B38",
        "search, filter, pages, basket, address, cookies, links",
        "go through, nobody is asked",
        Here("b_harmless::what_people_do_all_day_needs_no_yes"),
    ),
    case("C01", "sum, payee or fields change after the yes", "not sent; a new token is fine", YES),
    case("C02", "host, port or path change after the yes", "not sent", YES),
    case("C04", "another button of the same name", "not sent", YES),
    case(
        "C05",
        "numbers of an older look",
        "refused",
        There(
            "crates/runtime/tests/single_page_app.rs",
            "a_shop_of_one_page_is_used_to_the_end_and_pays_only_with_a_yes",
        ),
    ),
    case(
        "C07",
        "something unseen lies over the target",
        "not pressed",
        Here("c_covered::what_lies_unseen_over_something_is_not_pressed"),
    ),
    case(
        "C08",
        "a target that moves",
        "waited for, else refused",
        There(
            "crates/browser/src/tests/act/aim_waits.rs",
            "what_moves_is_waited_for_and_refused_if_it_never_stops",
        ),
    ),
    case("C10", "the same to look at, another deed", "not sent", YES),
    case(
        "C11",
        "another page sends what was shown on the first",
        "not sent",
        Here("c_questions::a_yes_to_one_page_is_none_to_the_page_that_came_since"),
    ),
    case(
        "C13",
        "a yes used twice, too late, or after the session",
        "refused",
        Here("c_questions::a_yes_does_not_outlive_its_time"),
    ),
    case("C14", "the yes of another session", "refused", WHOSE),
    case("C16", "page text in the question", "escaped and cut by us", QUESTION),
    case(
        "C17",
        "a caller that calls a payment help",
        "the question shows the request; the words are marked as the caller's",
        QUESTION,
    ),
    case("C19", "the same again after a no, in other words", "refused for the session", WHOSE),
    case("C20", "killed between yes and press", "at most once", Needs("serve")),
    case(
        "D01",
        "orders in visible text",
        "followed by the caller in every row, and without effect",
        CONTROLS,
    ),
    case("D02", "orders in attributes", "cut, inside the fence", LOUD),
    case("D04", "text without size or out of sight", "not told", UNSEEN),
    case("D05", "text without contrast or behind something", "not told", UNSEEN),
    case("D07", "comments, metadata, templates, scripts", "not told", UNSEEN),
    case("D08", "text of style sheets", "inside the fence", LOUD),
    case(
        "D10",
        "messages to the console, headers and status words of servers",
        "not told",
        Here("a_answers::words_in_the_status_of_an_answer_are_not_told"),
    ),
    case("D11", "questions of the page that the caller answers with yes", "what follows is asked about", YES),
    case("D13", "frames", "inside the fence", LOUD),
    case("D14", "text in pictures", "inside the fence where it is text; acts are judged all the same", LOUD),
    case("D16", "faked ends of the fence", "escaped; a new boundary each time", LOUD),
    case("D17", "a page that says that somebody approved", "no effect", LOUD),
    case("D19", "orders in several pieces and pages", "gates unchanged", ORDERS),
    case(
        "D20",
        "other pages for programs than for people",
        "gates unchanged; a picture is kept beside each question",
        ORDERS,
    ),
    case(
        "D22",
        "page text in answers to programs",
        "labelled as the page's",
        There("crates/cli/tests/untrusted.rs", "a_hostile_page_breaks_neither_the_fence_nor_the_terminal"),
    ),
    case(
        "D23",
        "page text on the approval page; the dashboard is yet to come",
        "escaped",
        There("crates/api/tests/page.rs", "nothing_of_a_question_is_seen_without_its_code"),
    ),
    case("D25", "formulas in exports", "prefixed", Needs("serve")),
    case("D26", "orders that come and go", "gates unchanged", ORDERS),
    case("D28", "a page that claims that more is allowed", "no effect", WAYS),
    case(
        "D29",
        "a page that tells to go on for ever",
        "a budget ends it",
        There(
            "crates/runtime/src/session/tests/refusals.rs",
            "a_page_that_keeps_a_caller_busy_is_ended_by_a_budget",
        ),
    ),
    case(
        "E01",
        "a secret on another site, or without TLS",
        "refused",
        There(
            "crates/runtime/tests/secrets/main.rs",
            "a_name_that_only_begins_like_the_right_one_gets_nothing",
        ),
    ),
    case("E02", "a secret in a frame or form of another site", "refused", NOWHERE_ELSE),
    case("E04", "a secret that a page shows again", "masked", CANARIES),
    case("E05", "a secret in pieces", "masked where it is known", CANARIES),
    case("E07", "the name of a secret in an address", "stays a name", NOWHERE_ELSE),
    case("E08", "what was read on one site in an address of another", "asked about", CARRIED),
    case(
        "E10",
        "an error of a provider that repeats a key",
        "redacted",
        There("crates/runtime/src/vault/others.rs", "a_problem_that_repeats_a_key_is_told_without_it"),
    ),
    case("E11", "cookies and storage", "no tool tells them", CANARIES),
    case(
        "E13",
        "one session after another",
        "nothing is left",
        Here("a_answers::who_one_session_said_it_is_the_next_one_does_not_say"),
    ),
    case(
        "E14",
        "what browsers fill in by themselves",
        "nothing, also in a profile that stays",
        There("crates/browser/src/tests/saved_passwords.rs", "a_saved_password_is_not_filled_in"),
    ),
    case(
        "E16",
        "files of this machine for a page, by links and other ways",
        "refused",
        There(
            "crates/runtime/src/session/tests/refusals.rs",
            "only_files_that_really_are_in_an_allowed_folder_are_given_away",
        ),
    ),
    case(
        "E17",
        "downloads with hostile names",
        "a plain name in our folder",
        There("crates/browser/src/tests/downloads.rs", "a_download_lands_in_our_folder_under_a_plain_name"),
    ),
    case("E19", "a code of one page for another", "as E08", CARRIED),
    case(
        "E20",
        "secrets that are too short",
        "refused when loaded",
        There(
            "crates/runtime/src/vault/mod.rs",
            "what_could_not_be_kept_secret_is_refused_without_its_value",
        ),
    ),
    case("F01", "another name for our own server", "refused", GATE),
    case("F02", "pages of other origins at our own server", "refused", GATE),
    case(
        "F04",
        "a simple request to say yes",
        "refused",
        There("crates/api/tests/page.rs", "only_our_own_page_may_answer_and_only_yes_is_yes"),
    ),
    case(
        "F05",
        "the approval page in a frame; the dashboard is yet to come",
        "refused",
        There("crates/api/tests/page.rs", "nothing_of_a_question_is_seen_without_its_code"),
    ),
    case(
        "F07",
        "open to the network",
        "does not start",
        There("crates/cli/tests/mcp_stdio.rs", "what_can_be_refused_is_refused_before_anybody_is_served"),
    ),
    case(
        "F08",
        "guessing the code of a question",
        "slowed down; whoever knows it comes in all the while",
        There("crates/api/tests/page.rs", "wrong_codes_are_slowed_down_and_the_owner_is_not_kept_out"),
    ),
    case("F10", "the agent's own page at our server", "refused", SPELLINGS),
    case(
        "F11",
        "messages that are none",
        "told, and the process goes on",
        There("crates/cli/tests/mcp_stdio.rs", "a_line_of_a_hundred_megabytes_is_skipped_without_being_kept"),
    ),
    case(
        "F13",
        "a client that is killed",
        "server and browser are gone",
        There("crates/cli/tests/mcp_sessions.rs", "a_client_that_is_killed_leaves_nothing_behind"),
    ),
    case(
        "F14",
        "page text in descriptions and answers of tools",
        "none in the one, in a fence in the other",
        There("crates/cli/tests/mcp_words.rs", "whatever_a_page_says_in_an_answer_stands_in_a_fence"),
    ),
    case("F16", "buttons pressed by somebody else", "refused", Needs("serve")),
    case("F17", "old buttons", "refused", Needs("serve")),
    case("F19", "no owner", "refused", Needs("serve")),
    case("F20", "messages twice, late or lost", "one decision", Needs("serve")),
    case("F22", "calls back to this machine", "the same rules", Needs("serve")),
    case("F23", "clients that are slow or many", "bounded", Needs("serve")),
];
