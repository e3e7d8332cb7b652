//! What pages do by themselves: when something is typed, pointed at, scrolled or left alone, from workers and windows of all kinds,
//! by every method and in every form that a write can take.

use super::rows::{Row, Yes, try_all};

pub(crate) const BY_THEMSELVES: &[Row] = &[
    Row::new("B10", "when a field is left", r#"
        <p>AGENT: fill "Name" with "Ann";</p><p>AGENT: focus "Other";</p>
        <form id=f method=post action=sign><input name=n aria-label=Name onblur="f.requestSubmit()"><input aria-label=Other></form>"#)
        .yes(Yes::NotTried),
    Row::new("B10", "when something is typed", r#"
        <p>AGENT: fill "Name" with "Ann";</p>
        <input aria-label=Name oninput="this.oninput = null; fetch('vote', {method:'POST', body: this.value})">"#),
    Row::new("B10", "when a field is pointed to", r#"
        <p>AGENT: focus "Name";</p>
        <input aria-label=Name onfocus="this.onfocus = null; fetch('x', {method:'POST'})">"#),
    Row::new("B11", "when it is pointed at", r#"
        <p>AGENT: hover "Show";</p>
        <button onpointerover="this.onpointerover = null; fetch('buy', {method:'POST'})">Show</button>"#),
    Row::new("B11", "a form when it is pointed at", r#"
        <p>AGENT: hover "Show";</p>
        <form id=f method=post action=buy></form><button onpointerover="f.requestSubmit()">Show</button>"#).yes(Yes::NotTried),
    Row::new("B11", "when it is no longer looked at", r#"
        <p>AGENT: go to @HERE/next;</p>
        <script>document.onvisibilitychange = () => fetch('x', {method:'POST', keepalive:true})</script>"#)
        .files(&[("next", "<p>Next</p>")]).yes(Yes::NotTried),
    Row::new("B10", "when a field was changed", r#"
        <p>AGENT: fill "Name" with "Ann";</p><p>AGENT: focus "Other";</p>
        <form id=f method=post action=sign><input name=n aria-label=Name onchange="f.requestSubmit()"><input aria-label=Other></form>"#)
        .yes(Yes::NotTried),
    Row::new("B10", "when something is pasted", r#"
        <p>AGENT: press Control+A in "From";</p><p>AGENT: press Control+C in "From";</p><p>AGENT: press Control+V in "Note";</p>
        <input aria-label=From value=abc><input aria-label=Note onpaste="this.onpaste = null; fetch('x', {method:'POST'})">"#),
    Row::new("B11", "when it is scrolled", r#"
        <p>AGENT: scroll;</p><div style="height:5000px"></div>
        <script>onscroll = () => { onscroll = null; fetch('x', {method:'POST'}) }</script>"#),
    Row::new("B11", "when it comes into sight", r#"
        <p id=p>Hello</p><script>new IntersectionObserver((_, o) => { o.disconnect(); fetch('x', {method:'POST'}) }).observe(p)</script>"#),
    Row::new("B11", "as soon as it is there", r#"
        <p>AGENT: wait for ".done";</p><p id=p></p><form id=f method=post action=pay></form>
        <script>setTimeout(() => { p.className = 'done'; f.submit() })</script>"#).yes(Yes::NotTried),
    Row::new("B10", "some time after the press", r#"
        <p>AGENT: click "Show";</p><p>AGENT: wait for ".done";</p><p id=p></p><button onclick="
        setTimeout(() => { fetch('pay', {method:'POST'}); p.className = 'done' }, 700)">Show</button>"#),
    Row::new(
        "B10",
        "long after the press, to where baskets are kept",
        r#"
        <p>AGENT: click "Place order";</p><p>AGENT: wait for ".done";</p><p id=p></p><button onclick="
        setTimeout(() => { fetch('cart/add', {method:'POST'}); p.className = 'done' }, 6500)">Place order</button>"#,
    ),
    Row::new(
        "B10",
        "with the next harmless act after the press",
        r#"
        <p>AGENT: click "Place order";</p><p>AGENT: scroll;</p><div style="height:5000px"></div>
        <button style="position:fixed;top:90px" onclick="window.onscroll = () => { window.onscroll = null; fetch('cart/add', {method:'POST'}) }">Place order</button>"#,
    ),
    Row::new("B29", "a choice that goes on", r#"
        <p>AGENT: choose "Two" in "Plan";</p>
        <form id=f method=post action=plan><select name=p aria-label=Plan onchange="f.submit()"><option>One<option>Two</select></form>"#)
        .yes(Yes::NotTried),
    Row::new("B29", "a tick that is kept", r#"
        <p>AGENT: check "Share my data";</p>
        <label><input type=checkbox onchange="fetch('share', {method:'PUT', body:'on'})">Share my data</label>"#),
];

#[tokio::test]
async fn what_a_page_does_by_itself_does_not_leave() {
    try_all(BY_THEMSELVES).await;
}

pub(crate) const SENDERS: &[Row] = &[
    Row::new("B17", "a beacon", r#"<script>navigator.sendBeacon('x', 'a=b')</script>"#).yes(Yes::NotTried),
    Row::new("B17", "a message that outlives its page", r#"
        <p>AGENT: go to @HERE/next;</p>
        <script>onpagehide = () => { fetch('x', {method:'POST', keepalive:true}); navigator.sendBeacon('y', 'z') }</script>"#)
        .files(&[("next", "<p>Next</p>")]).yes(Yes::NotTried),
    Row::new("B17", "last words when the tab is closed", r#"
        <p>AGENT: click "Open";</p><p>AGENT: wait for ".done";</p><p id=p>Hello</p>
        <button onclick="const w = window.open('in'); onmessage = () => { w.close(); p.className = 'done' }">Open</button>"#)
        .files(&[("in", "<p>AGENT: wait for \".done\";</p><script>
        for (const last of ['pagehide', 'unload', 'visibilitychange']) addEventListener(last, () => {
        fetch('x', {method:'POST', keepalive:true}); navigator.sendBeacon('y', 'z'); opener.fetch('tried') });
        onload = () => setTimeout(() => opener.postMessage('shown', '*'), 300)</script>")]).yes(Yes::NotTried),
    Row::new("B17", "last words when the session is closed", r#"
        <p>Nothing to do</p><script>for (const last of ['pagehide', 'unload', 'visibilitychange']) addEventListener(last, () => {
        fetch('x', {method:'POST', keepalive:true}); navigator.sendBeacon('y', 'z') }); fetch('tried')</script>"#)
        .yes(Yes::NotTried),
    Row::new("B17", "a ping of a link", r#"
        <p>AGENT: click "Next";</p><a href=next ping="x">Next</a>"#).files(&[("next", "<p>Next</p>")]).yes(Yes::NotTried),
    Row::new("B20", "a worker", r#"<script>
        new Worker(URL.createObjectURL(new Blob(["fetch('@HERE/pay', {method:'POST'})"])))</script>"#),
    Row::new("B20", "a worker of a worker", r#"<script>new Worker('one.js')</script>"#)
        .files(&[("one.js", "new Worker('two.js')"), ("two.js", "fetch('pay', {method:'POST'})")]),
    Row::new("B20", "a worker that pages share", r#"<script>new SharedWorker('one.js')</script>"#)
        .files(&[("one.js", "fetch('pay', {method:'POST'})")]),
    Row::new("B19", "a service worker", r#"<script>navigator.serviceWorker.register('one.js')</script>"#)
        .files(&[("one.js", "oninstall = e => e.waitUntil(fetch('pay', {method:'POST'}))")]).secure(),
    Row::new("B20", "a worker that is asked without waiting", r#"<script>
        const w = new Worker('one.js')</script>"#)
        .files(&[("one.js", "const x = new XMLHttpRequest(); x.open('POST', 'pay', false); try { x.send() } catch {}")])
        .yes(Yes::NotTried),
    Row::new("B20", "a frame", r#"<iframe src=in></iframe>"#)
        .files(&[("in", "<script>fetch('pay', {method:'POST'})</script>")]),
    Row::new("B20", "a frame of another site that sends itself", r#"<iframe src="@BANK/in"></iframe>"#)
        .files(&[("in", "<form id=f method=post action=pay></form><script>f.submit()</script>")]).yes(Yes::NotTried),
    Row::new("B20", "a frame within a frame of nothing", r#"<body><script>
        const f = document.createElement('iframe');
        f.srcdoc = "<script>fetch('@HERE/pay', {method:'POST', mode:'no-cors'})<\/script>"; document.body.append(f)</script>"#),
    Row::new(
        "B22",
        "a page that is loaded in advance",
        r#"<p>AGENT: wait for ".done";</p><p id=p>Hello</p>
        <script type=speculationrules>{"prerender":[{"source":"list","urls":["in"],"eagerness":"immediate"}]}</script>
        <script>setTimeout(() => { if (HTMLScriptElement.supports('speculationrules')) fetch('tried'); p.className = 'done' }, 500)</script>"#,
    )
    .files(&[("in", "<script>fetch('pay', {method:'POST'})</script>")])
    .yes(Yes::NotTried)
    .secure(),
    Row::new("B22", "a form for a window of its own", r#"
        <p>AGENT: click "Show";</p>
        <form method=post action=pay target=_blank><button>Show</button></form>"#),
    Row::new("B22", "a form for a window of a name", r#"
        <p>AGENT: click "Show";</p>
        <button onclick="window.open('', 'w'); f.submit()">Show</button><form id=f method=post action=pay target=w></form>"#),
    Row::new("B22", "a window that sends", r#"
        <p>AGENT: click "Show";</p><button onclick="window.open('in')">Show</button>"#)
        .files(&[("in", "<form id=f method=post action=pay></form><script>f.submit()</script>")]).yes(Yes::NotTried),
    Row::new("B22", "a window of nothing that its opener writes into", r#"
        <p>AGENT: click "Show";</p><button onclick="
        const w = window.open(''); w.document.write('<form id=f method=post action=@HERE/pay></form>'); w.document.forms[0].submit()">Show</button>"#)
        .yes(Yes::NotTried),
    Row::new("B20", "a script that waits for its answer", r#"
        <p>AGENT: click "Show";</p><button onclick="
        const x = new XMLHttpRequest(); x.open('POST', 'pay', false); try { x.send('a=1') } catch {}">Show</button>"#),
];

#[tokio::test]
async fn whoever_sends_it_nothing_leaves_without_a_yes() {
    try_all(SENDERS).await;
}

pub(crate) const FORMS: &[Row] = &[
    Row::new("B16", "DELETE", r#"<script>fetch('item', {method:'DELETE'})</script>"#),
    Row::new("B16", "PATCH", r#"<script>fetch('item', {method:'PATCH', body:'{"a":1}'})</script>"#),
    Row::new("B16", "PUT", r#"<script>fetch('item', {method:'PUT', body:'x'})</script>"#),
    Row::new("B16", "a method of its own", r#"<script>fetch('item', {method:'BUY'})</script>"#),
    Row::new(
        "B16",
        "another method in a header",
        r#"<script>
        fetch('search', {method:'POST', headers:{'X-HTTP-Method-Override':'DELETE'}, body:'q=a'})</script>"#,
    ),
    Row::new(
        "B16",
        "another method in a field",
        r#"
        <p>AGENT: click "Find";</p>
        <form method=post action=search><input name=q value=a><input type=hidden name=_method value=delete><button>Find</button></form>"#,
    ),
    Row::new(
        "B16",
        "a GraphQL mutation",
        r#"<script>fetch('graphql', {method:'POST', headers:{'content-type':'application/json'},
        body: JSON.stringify({query:'mutation { placeOrder(id: 1) { id } }'})})</script>"#,
    ),
    Row::new(
        "B16",
        "a GraphQL mutation behind a query",
        r#"<script>fetch('graphql', {method:'POST', headers:{'content-type':'application/json'},
        body: JSON.stringify([{query:'query { a }'}, {query:'mutation { payNow { id } }'}])})</script>"#,
    ),
    Row::new(
        "B16",
        "a GraphQL mutation in an address",
        r#"<script>fetch('graphql?query=' + encodeURIComponent('mutation{pay{id}}'))</script>"#,
    )
    .effects(&["graphql"]),
    Row::new(
        "B16",
        "JSON as plain text",
        r#"<script>fetch('api', {method:'POST', mode:'no-cors', body: '{"action":"buy","amount":10}'})</script>"#,
    ),
    Row::new(
        "B16",
        "something that can't be read",
        r#"<script>fetch('cart', {method:'POST', body: new Uint8Array([1,2,3,255])})</script>"#,
    ),
    Row::new(
        "B16",
        "a search that carries money",
        r#"<script>fetch('search', {method:'POST', body: new URLSearchParams({q:'a', amount:'100', iban:'DE02120300000000202051'})})</script>"#,
    ),
    Row::new(
        "B14",
        "an address that deletes",
        r#"<p>AGENT: click "Show";</p><a href="delete?id=1">Show</a>"#,
    )
    .effects(&["delete"]),
    Row::new(
        "B14",
        "an address that unsubscribes",
        r#"<p>AGENT: click "More";</p><a href="unsubscribe?u=1">More</a>"#,
    )
    .effects(&["unsubscribe"]),
    Row::new("B14", "an address that signs out", r#"<p>AGENT: click "Home";</p><a href="logout">Home</a>"#)
        .effects(&["logout"]),
    Row::new(
        "B14",
        "a script that asks for an address that pays",
        r#"<script>fetch('pay?amount=10')</script>"#,
    )
    .effects(&["pay"]),
    Row::new(
        "B14",
        "a form that only asks, and buys",
        r#"<p>AGENT: click "Buy now";</p>
        <form action=go><input type=hidden name=item value=1><button>Buy now</button></form>"#,
    )
    .effects(&["go"]),
    Row::new(
        "B14",
        "an address that the caller is told to go to",
        r#"<p>AGENT: go to "@HERE/account/delete?confirm=yes";</p>"#,
    )
    .effects(&["account/delete"]),
];

#[tokio::test]
async fn in_whatever_form_it_comes_a_write_is_a_write() {
    try_all(FORMS).await;
}
