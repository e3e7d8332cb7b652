// What leaves the page is short, on one line and well-formed, whatever was in it.

const SPACES = /[\s\u200b]+/g;

function oneLine(text, limit) {
  const slack = limit * 4;
  const line = (text.length > slack ? text.slice(0, slack) : text).replace(SPACES, ' ').trim();
  return (line.length > limit ? line.slice(0, limit) : line).toWellFormed();
}

/// The same for values, whose lines and spaces matter.
function exactly(text, limit) {
  return text.slice(0, limit).toWellFormed();
}
