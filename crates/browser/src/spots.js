// All that is written in this document, without white space. With places in it: the boxes of the lines there, or null where it is not
// what it was.
((length, places) => {
  const spaces = /\s/;
  const skipped = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD']);
  const letters = [];
  const nodes = [];
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.data;
      for (let at = 0; at < text.length; at += 1) {
        if (spaces.test(text[at])) continue;
        letters.push(text[at]);
        nodes.push([node, at]);
      }
      return;
    }
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (skipped.has(node.tagName)) return;
      if (node.shadowRoot) node.shadowRoot.childNodes.forEach(walk);
    }
    node.childNodes.forEach(walk);
  };
  walk(document);
  if (places === undefined) return letters.join('');
  if (letters.length !== length) return null;
  const boxes = [];
  for (const [from, to] of places) {
    for (let at = from; at < to;) {
      const [node, first] = nodes[at];
      let last = first;
      while (at < to && nodes[at][0] === node) last = nodes[at++][1];
      const range = new Range();
      range.setStart(node, first);
      range.setEnd(node, last + 1);
      for (const { x, y, width, height } of range.getClientRects()) if (width > 0 && height > 0) boxes.push([x, y, width, height]);
    }
  }
  return boxes.length > 5000 ? null : boxes;
})
