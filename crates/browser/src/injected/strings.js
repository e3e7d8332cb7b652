// What leaves the page is short, on one line and well-formed, whatever was in it.

/// White space that is not a single space between words: those need not be touched.
const SPACES = /[\s\u200b]{2,}|[^\S ]|\u200b/g;

/// The everyday case, which is told faster than it is made.
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/;

/// How much of a text is gone through for what is left of it on one line: it may begin with thousands of spaces.
const LINE_SOURCE_LIMIT = 20000;

function oneLine(text, limit) {
  if (text.length <= limit && PLAIN_LINE.test(text)) return text;
  const line = (text.length > LINE_SOURCE_LIMIT ? text.slice(0, LINE_SOURCE_LIMIT) : text).replace(SPACES, ' ').trim();
  return (line.length > limit ? line.slice(0, limit) : line).toWellFormed();
}

/// The same for values, whose lines and spaces matter.
function exactly(text, limit) {
  return text.slice(0, limit).toWellFormed();
}

function dotsFor(value) {
  return '•'.repeat(Math.min(value.length, TEXT_LIMIT));
}

/// As much of a text as a name may need, whatever spaces it begins with.
function tidyBeginningOf(text) {
  const tidy = (text.length > LINE_SOURCE_LIMIT ? text.slice(0, LINE_SOURCE_LIMIT) : text).replace(UNTIDY_SPACE, ' ');
  return tidy.length > TEXT_LIMIT ? tidy.slice(0, TEXT_LIMIT) : tidy;
}

const OTHER_LETTERS = /[^\0-\x7f]/g;
const OTHER_LETTERS_LIMIT = 3000;

/// JSON in ASCII, where that is not much longer: other letters, be there only one, double the cost of its way out of the page.
function inPlainLetters(json) {
  OTHER_LETTERS.lastIndex = 0;
  for (let found = 0; OTHER_LETTERS.test(json); found += 1) if (found >= OTHER_LETTERS_LIMIT) return json;
  return json.replace(OTHER_LETTERS, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/// What stands for a secret.
const MASK = '•••';
/// Shorter ones are in every other word.
const SECRET_MIN = 4;
const SECRET_LIMIT = 2000;
/// Long secrets are sought piece by piece: what leaves the page may hold only a part.
const SECRET_PIECE = 64;
/// Chromium makes nothing fast of a longer pattern.
const SECRETS_PATTERN_LIMIT = 16000;
/// Texts of this length may have been cut in the middle of a secret.
const MAY_BE_CUT = 80;

/// Writes over secrets in a text, as they are or as they are written in addresses. Null where there are none.
function maskOf(secrets) {
  const pieces = soughtPiecesOf(secrets);
  if (pieces.length === 0) return null;
  const longestFirst = pieces.sort((a, b) => b.length - a.length);
  const anywhere = new RegExp(longestFirst.map(spellingsOf).join('|'), 'gi');
  const beginnings = longestFirst.map((piece) => piece.toLowerCase());
  return (text) => {
    const masked = text.replace(anywhere, MASK);
    return text.length < MAY_BE_CUT ? masked : withoutBeginning(masked, beginnings);
  };
}

/// As many pieces as can be sought in time: the first ones of all secrets, then what follows them.
function soughtPiecesOf(secrets) {
  const lists = secrets.map(piecesOf);
  const sought = new Set();
  let left = SECRETS_PATTERN_LIMIT;
  for (const piece of [...lists.flatMap((list) => list.slice(0, 1)), ...lists.flatMap((list) => list.slice(1))]) {
    if (sought.has(piece)) continue;
    left -= spellingsOf(piece).length;
    if (left < 0) break;
    sought.add(piece);
  }
  return [...sought];
}

function piecesOf(secret) {
  const whole = secret.slice(0, SECRET_LIMIT).trim().toWellFormed();
  const pieces = [];
  for (let at = 0; at < whole.length; at += SECRET_PIECE) pieces.push(whole.slice(at, at + SECRET_PIECE).trim());
  return pieces.filter((piece) => piece.length >= SECRET_MIN);
}

/// A pattern for every way to write a secret: its letters as they are, the rest perhaps in the code of addresses.
function spellingsOf(secret) {
  return secret.replace(/\s+|[^\p{L}\p{N}\s]|[^\0-\x7f]/gu, (part) => {
    if (/\s/.test(part)) return '(?:[\\s\\u200b+]|%20|%0[9ad])+';
    return `(?:${part.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')}|${percentCoded(part)})`;
  });
}

/// Also what `encodeURIComponent` leaves as it is.
function percentCoded(letter) {
  const coded = encodeURIComponent(letter.toWellFormed());
  return coded === letter ? `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}` : coded;
}

/// A text without the beginning of a secret that it ends with.
function withoutBeginning(text, beginnings) {
  const from = Math.max(0, text.length - SECRET_PIECE);
  const end = text.slice(from).toLowerCase();
  for (const beginning of beginnings) {
    const first = beginning.slice(0, SECRET_MIN);
    for (let at = end.indexOf(first); at >= 0; at = end.indexOf(first, at + 1)) {
      if (beginning.startsWith(end.slice(at))) return text.slice(0, from + at) + MASK;
    }
  }
  return text;
}
