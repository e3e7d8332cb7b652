// What a page received, in order, written on its root element: `click:go` for a trusted click on the element with the id `go`, `click:go!` for a forged one.
const record = [];
const KINDS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'mouseover', 'wheel', 'focusin',
  'dragstart', 'dragenter', 'dragover', 'drop', 'dragend', 'change', 'keydown', 'submit'];
function recordIn(target) {
  for (const kind of KINDS) {
    target.addEventListener(kind, (event) => {
      const { id, tagName } = event.composedPath()[0];
      const keys = ['altKey', 'ctrlKey', 'metaKey', 'shiftKey'].filter((key) => event[key]).map((key) => `+${key}`).join('');
      record.push(`${kind}:${id || tagName}${keys}${event.isTrusted ? '' : '!'}`);
      document.documentElement.dataset.record = record.join(' ');
    }, true);
  }
}
recordIn(window);
