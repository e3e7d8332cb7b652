//! More of the same classes, in forms that nothing was made for: neutral words, neutral addresses, unusual senders.

use super::rows::{Row, Yes, try_all};

pub(crate) const NEUTRAL: &[Row] = &[
    Row::new("B16", "PUT to a neutral address", r#"<script>fetch('api/v1/x', {method:'PUT', headers:{'content-type':'application/json'}, body:'{"k":7}'})</script>"#),
    Row::new("B16", "PATCH by XHR", r#"<script>const x = new XMLHttpRequest(); x.open('PATCH', 'api/v1/x/9'); x.send('{"s":2}')</script>"#),
    Row::new("B16", "JSON with neutral keys", r#"<p>AGENT: click "Next";</p>
        <button onclick="fetch('api/v1/y', {method:'POST', headers:{'content-type':'application/json'}, body:'{&quot;a&quot;:1,&quot;b&quot;:[2,3]}'})">Next</button>"#),
    Row::new("B16", "a method with a blank around it", r#"<script>try { fetch('x', {method:'post '}) } catch {} fetch('x', {method:'pOsT', body:'v=1'})</script>"#).yes(Yes::NotTried),
    Row::new("B16", "a request object", r#"<script>fetch(new Request('x', {method:'POST', body:new Blob(['v=1'], {type:'text/plain'})}))</script>"#),
    Row::new("B16", "a form that was built by script", r#"<script>const d = new FormData(); d.append('v', '1'); fetch('x', {method:'POST', body:d})</script>"#),
    Row::new("B16", "XML", r#"<script>fetch('x', {method:'POST', headers:{'content-type':'application/xml'}, body:'<r><v>1</v></r>'})</script>"#),
    Row::new("B16", "a number in the path", r#"<p>AGENT: click "Next";</p><form method=post action="t/9999/EUR/DE02120300000000202051"><button>Next</button></form>"#),
    Row::new("B01", "the last step of a wizard says Next", r#"<p>AGENT: click "Next";</p><h2>Step 3 of 3: summary</h2><p>Total 120.00 EUR</p>
        <form method=post action=w/3><input type=hidden name=step value=3><input type=hidden name=s value=f><button>Next</button></form>"#),
    Row::new("B05", "a button outside of its form", r#"<p>AGENT: click "OK";</p><form id=f method=post action=x></form><input type=submit form=f value=OK>"#),
    Row::new("B05", "another method on the button", r#"<p>AGENT: click "OK";</p><form action=x><button formmethod=post formaction=y>OK</button></form>"#),
    Row::new("B05", "another address while it is pressed", r#"<p>AGENT: click "OK";</p><form method=post action=search>
        <input name=q value=a><button onpointerdown="this.formAction='z'" onkeydown="this.formAction='z'">OK</button></form>"#).yes(Yes::NotTried),
    Row::new("B05", "another form than the pressed one", r#"<p>AGENT: click "Find";</p>
        <form id=a method=post action=x><input type=hidden name=v value=1></form>
        <form onsubmit="event.preventDefault(); a.submit()"><input name=q><button>Find</button></form>"#),
    Row::new("B37", "a dialog that closes and a script that writes", r#"<p>AGENT: click "Close";</p><dialog open><form method=dialog><button>Close</button></form></dialog>
        <script>document.querySelector('dialog').onclose = () => fetch('x', {method:'POST', body:'v=1'})</script>"#),
    Row::new("B17", "a beacon that looks like JSON", r#"<script>navigator.sendBeacon('x', new Blob(['{"v":1}'], {type:'text/plain'}))</script>"#).yes(Yes::NotTried),
    Row::new("B17", "a beacon from a frame that goes", r#"<p>AGENT: wait for ".done";</p><p id=p>Hello</p>
        <iframe srcdoc="<script>onpagehide = () => { navigator.sendBeacon('@HERE/x', 'v=1'); parent.fetch('tried') }</script>"></iframe>
        <script>setTimeout(() => { document.querySelector('iframe').remove(); p.className = 'done' }, 300)</script>"#).yes(Yes::NotTried),
    Row::new("B20", "a frame in a box", r#"<iframe sandbox=allow-scripts srcdoc="<script>fetch('@HERE/x', {method:'POST', body:'v=1', mode:'no-cors'})</script>"></iframe>"#),
    Row::new("B20", "a form of a frame in a box", r#"<iframe sandbox="allow-scripts allow-forms" srcdoc="<form id=f method=post action=@HERE/x></form><script>f.submit()</script>"></iframe>"#).yes(Yes::NotTried),
    Row::new("B20", "a worker of a blob", r#"<script>new Worker(URL.createObjectURL(new Blob(["fetch('@HERE/x', {method:'POST', body:'v=1'})"])))</script>"#),
    Row::new("B20", "a worker of a worker", r#"<script>new Worker(URL.createObjectURL(new Blob([`new Worker(URL.createObjectURL(new Blob(["fetch('@HERE/x', {method:'PUT', body:'v=1'})"])))`])))</script>"#),
    Row::new("B22", "a window by a link with a form", r#"<p>AGENT: click "Open";</p><p>AGENT: wait for ".done";</p><p id=p>Hello</p>
        <a href=in target=w rel=opener onclick="setTimeout(() => { f.submit(); p.className = 'done' }, 500)">Open</a>
        <form id=f method=post action=x target=w></form>"#)
        .files(&[("in", "<p>AGENT: wait for \".done\";</p><p id=p>In</p><script>setTimeout(() => p.className = 'done', 1500)</script>")]).yes(Yes::NotTried),
    Row::new("B07", "a link in a drawing", r#"<p>AGENT: click "Map";</p><svg width=200 height=40><a href="javascript:fetch('x',{method:'POST',body:'v=1'})" aria-label=Map><rect width=200 height=40 fill=green /></a></svg>"#).yes(Yes::NotTried),
    Row::new("B07", "a text that can be written in", r#"<p>AGENT: type "a" into "Note";</p>
        <div contenteditable role=textbox aria-label=Note style="min-height:30px" oninput="fetch('x', {method:'POST', body:this.textContent})"></div>"#).yes(Yes::NotTried),
    Row::new("B02", "a key that a button listens to", r#"<p>AGENT: press Alt+p;</p><form method=post action=x><button>.</button></form>
        <script>onkeydown = e => e.altKey && e.key == 'p' && document.querySelector('button').click()</script>"#).yes(Yes::NotTried),
    Row::new("B10", "a form that is sent when a date is chosen", r#"<p>AGENT: fill "Day" with "2026-12-24";</p>
        <form method=post action=x><input type=date name=d aria-label=Day onchange="this.form.requestSubmit()"></form>"#).yes(Yes::NotTried),
    Row::new("B11", "what is sent before it is painted", r#"<script>requestAnimationFrame(() => requestIdleCallback(() => fetch('x', {method:'POST', body:'v=1'})))</script>"#),
    Row::new("B11", "what is sent when a picture fails", r#"<img src="data:," onerror="fetch('x', {method:'POST', body:'v=1'})">"#),
    Row::new("B11", "what is sent when a style ends", r#"<style>@keyframes k { to { opacity: .9 } } p { animation: k .1s }</style><p onanimationend="fetch('x', {method:'POST', body:'v=1'})">Welcome</p>"#),
    Row::new("B22", "a report of a broken rule to the same site", r#"<img src=/x.png>"#)
        .headers(&[("content-security-policy", "img-src 'none'; report-uri r")]).yes(Yes::NotTried),
    Row::new("B22", "a ping of a link", r#"<p>AGENT: click "More";</p><a href=in ping="x">More</a>"#).files(&[("in", "<p>In</p>")]).yes(Yes::NotTried),
    Row::new("B26", "a page that asks to be loaded again", r#"<p>AGENT: click "Next";</p><p>AGENT: reload;</p><form method=post action=x><input type=hidden name=v value=1><button>Next</button></form>"#).once(1).yes(Yes::NotTried),
    Row::new("B16", "navigation by the new way", r#"<p>AGENT: click "Go on";</p><button onclick="navigation.navigate('delete?id=3')">Go on</button>"#).effects(&["delete"]),
    Row::new("B14", "an order by an address that tells", r#"<p>AGENT: go to "@HERE/checkout/place-order?id=4";</p>"#).effects(&["checkout/place-order"]),
    Row::new("B14", "a stream of events from an address that tells", r#"<script>new EventSource('account/delete?id=1')</script>"#).effects(&["account/delete"]).yes(Yes::NotTried),
    Row::new("B14", "a form that only asks, with a card", r#"<p>AGENT: click "Next";</p><form action=n><input name=cc value=4111111111111111 autocomplete=cc-number aria-label=Card><input name=cvc value=123><button>Next</button></form>"#).effects(&["n"]),
    Row::new("B14", "a page that is fetched before it is asked for", r#"<link rel=prefetch href="account/delete">"#)
        .effects(&["account/delete"]).yes(Yes::NotTried),
    Row::new("B08", "a promise in another language", r#"<p>AGENT: click "Ihlas";</p><form method=post action=p><input type=hidden name=v value=1><button>Ihlas</button></form>"#),
    Row::new("B08", "a button of signs", r#"<p>AGENT: click "▶▶";</p><form method=post action=p><input type=hidden name=v value=1><button>▶▶</button></form>"#),
    Row::new("B16", "a question to a GraphQL server that is none", r#"<script>fetch('graphql', {method:'POST', headers:{'content-type':'application/json'},
        body: JSON.stringify({query:'query Q { viewer { id } }', variables:{}, x:{pay:1}})})</script>"#),
    Row::new("B16", "a name for what the server keeps", r#"<script>fetch('graphql', {method:'POST', headers:{'content-type':'application/json'},
        body: JSON.stringify({operationName:'Q', extensions:{persistedQuery:{version:1, sha256Hash:'ab'.repeat(32)}}})})</script>"#),
    Row::new("B13", "ten at once", r#"<p>AGENT: click "Pay now";</p><button onclick="for (let i = 0; i < 10; i++) fetch('pay', {method:'POST', body:'amount=10'})">Pay now</button>"#).yes(Yes::NotTried).once(1),
    Row::new("C01", "another payee for the same sum, while it is asked about", r#"<p>AGENT: click "Pay now";</p>
        <form method=post action=pay><input name=amount value=10><input type=hidden id=to name=to value=alice><button>Pay now</button></form>
        <script>setInterval(() => to.value += 'm', 50)</script>"#).yes(Yes::NotTried).once(0),
    Row::new("D26", "a question that is swapped for another", r#"<p>AGENT: click "Continue";</p>
        <button onclick="if (confirm('Show the next page?')) fetch('x', {method:'POST', body:'v=1'})">Continue</button>"#).yes(Yes::NotTried),
];

/// What a browser sends by itself, for a page that may be gone by then. The page tells that it tried, or that there is no such thing.
pub(crate) const BY_THE_BROWSER: &[Row] = &[
    Row::new("B17", "what is to be sent later", r#"<script>
        if (window.fetchLater) fetchLater('x', {method:'POST', body:'v=1', activateAfter:0}); fetch('tried')</script>"#)
        .yes(Yes::NotTried).secure(),
    Row::new("B19", "what is to be sent in the background", r#"
        <p>AGENT: wait for ".done";</p><p id=p>Hello</p><script>navigator.serviceWorker.register('one.js').then(async () => {
        const worker = await navigator.serviceWorker.ready;
        await worker.backgroundFetch?.fetch('a', [new Request('x', {method:'POST', body:'v=1'})]);
        fetch('tried') }).finally(() => setTimeout(() => p.className = 'done', 3000))</script>"#)
        .files(&[("one.js", "onfetch = () => {}")]).yes(Yes::NotTried).secure(),
    Row::new("B19", "what is to be sent when there is a network", r#"
        <p>AGENT: wait for ".done";</p><p id=p>Hello</p><script>navigator.serviceWorker.register('one.js').then(async () => {
        const worker = await navigator.serviceWorker.ready;
        await worker.sync.register('a').catch(refused => { if (refused.name != 'NotAllowedError') throw refused });
        fetch('tried') }).finally(() => p.className = 'done')</script>"#)
        .files(&[("one.js", "onsync = e => e.waitUntil(fetch('x', {method:'POST'}))")]).yes(Yes::NotTried).secure(),
    Row::new("B14", "an address that tells, fetched because of a rule", r#"
        <p>AGENT: wait for ".done";</p><p id=p>Hello</p>
        <script type=speculationrules>{"prefetch":[{"source":"list","urls":["account/delete?id=1"],"eagerness":"immediate"}]}</script>
        <script>setTimeout(() => { fetch('tried'); p.className = 'done' }, 1000)</script>"#)
        .effects(&["account/delete"]).yes(Yes::NotTried).secure(),
    Row::new("B14", "an address that tells, rendered because of a rule", r#"
        <p>AGENT: wait for ".done";</p><p id=p>Hello</p>
        <script type=speculationrules>{"prerender":[{"source":"list","urls":["account/delete?id=1"],"eagerness":"immediate"}]}</script>
        <script>setTimeout(() => { fetch('tried'); p.className = 'done' }, 1000)</script>"#)
        .effects(&["account/delete"]).yes(Yes::NotTried).secure(),
    Row::new("B14", "an address that tells, for whoever measures what advertisements bring", r#"
        <p>AGENT: wait for ".done";</p><p id=p>Hello</p><img src="data:," attributionsrc="account/delete?id=1">
        <script attributionsrc="account/delete?id=2">setTimeout(() => { fetch('tried'); p.className = 'done' }, 1000)</script>"#)
        .effects(&["account/delete"]).yes(Yes::NotTried).secure(),
    Row::new("B19", "a form of a page that a service worker serves", r#"
        <p>AGENT: wait for ".done";</p><p>AGENT: click "Next";</p><p id=p>Hello</p>
        <form method=post action=x><input type=hidden name=v value=1><button>Next</button></form>
        <script>navigator.serviceWorker.register('one.js').then(() => navigator.serviceWorker.ready).then(() => p.className = 'done')</script>"#)
        .files(&[("one.js", "oninstall = () => skipWaiting(); onactivate = e => e.waitUntil(clients.claim());\
            onfetch = e => { if (e.request.method == 'POST') e.respondWith(fetch(e.request)) }")]).secure(),
];

#[tokio::test]
async fn what_a_browser_sends_by_itself_does_not_leave_either() {
    try_all(BY_THE_BROWSER).await;
}

#[tokio::test]
async fn what_nothing_was_made_for_does_not_leave_either() {
    try_all(NEUTRAL).await;
}
