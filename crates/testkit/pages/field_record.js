// What a page received in its fields, in order, written on its root element as JSON: kind, id, key or kind of input, trusted or not,
// and what the field held by then.
const record = [];
const KINDS = ['focusin', 'keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'mousedown', 'click', 'submit'];
function recordIn(target) {
  for (const kind of KINDS) {
    target.addEventListener(kind, (event) => {
      const at = event.composedPath()[0];
      const holds = at.type === 'checkbox' || at.type === 'radio' ? String(at.checked) : at.value ?? at.innerText ?? '';
      record.push([kind, at.id || at.tagName || '', event.key ?? event.inputType ?? '', event.isTrusted, String(holds)]);
      document.documentElement.dataset.record = JSON.stringify(record);
    }, true);
  }
}
recordIn(window);
