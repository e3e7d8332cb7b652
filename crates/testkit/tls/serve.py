"""A shop behind TLS that takes orders and gives no good answer to them, over HTTP/1.1 or HTTP/2.

It has one page, which it shows whatever is asked for; what to order and how that is answered stands in the page's address. With `members` it
speaks to nobody who shows no certificate that it has given out, and it has given out none. Says where it listens in one line; then answers each line that comes with how often the order of that name has arrived. Ends with its input.
"""

import os
import socket
import ssl
import struct
import sys
import threading
import time
from collections import Counter
from urllib.parse import parse_qs

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = b"""<!doctype html><title>Shop</title><link rel=icon href="data:,"><p id=out>ready</p>
<form id=form method=post action=/order><input type=hidden name=id><input type=hidden name=how><button>Pay now</button></form><script>
const asked = new URLSearchParams(location.search), tell = word => out.textContent = word
for (const name of ['id', 'how']) form.elements[name].value = asked.get(name)
function busy() {
  setInterval(() => fetch('/poll').catch(() => 0), 20)
  setInterval(() => new Image().src = '/poll?' + Math.random(), 100)
  fetch('/wait').catch(() => 0)
}
form.onsubmit = event => {
  if (asked.has('busy')) setTimeout(busy, 200)
  if (asked.has('form')) return
  event.preventDefault()
  const headers = asked.has('elsewhere') ? {'x-shop': '1'} : {}
  fetch((asked.has('elsewhere') ? 'https://pay.test' : '') + '/order', {method: 'POST', headers, body: new URLSearchParams(new FormData(form))})
    .then(answer => tell('answered ' + answer.status), () => tell('failed'))
}
</script>"""
# A page that is busy always waits for something.
THINKING = 0.012
orders = Counter()


def ordered(body):
    """Writes an order down, and says how it is answered."""
    fields = parse_qs(body.decode())
    orders[fields["id"][0]] += 1
    return fields["how"][0]


def reset(stream):
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    os.close(stream.detach())


def speak_http1(stream):
    reader = stream.makefile("rb")
    while line := reader.readline():
        method, path, _ = line.split()
        length = 0
        while (header := reader.readline().strip()):
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        body = reader.read(length)
        status = 200
        if method == b"POST":
            how = ordered(body)
            if how == "close":
                return
            if how == "goodbye":
                stream.unwrap()
                return
            if how == "reset":
                reader.close()
                return reset(stream)
            status = int(how)
        else:
            time.sleep(5 if path == b"/wait" else THINKING)
        stream.sendall(
            b"HTTP/1.1 %d Word\r\nContent-Type: text/html\r\nContent-Length: %d\r\nAccess-Control-Allow-Origin: *\r\n"
            b"Access-Control-Allow-Headers: x-shop\r\n\r\n" % (status, len(PAGE)) + PAGE
        )


def speak_http2(stream):
    """As much of it as needed: what carries something is an order, all else asks for the page."""
    data, headers, settings, goaway = 0, 1, 4, 7
    reader = stream.makefile("rb")
    reader.read(24)

    def send(kind, flags, number, content=b""):
        stream.sendall(struct.pack(">I", len(content))[1:] + struct.pack(">BBI", kind, flags, number) + content)

    send(settings, 0, 0)
    bodies = {}
    while len(head := reader.read(9)) == 9:
        length = int.from_bytes(head[:3], "big")
        kind, flags, number = struct.unpack(">BBI", head[3:])
        content = reader.read(length)
        if kind == settings and not flags & 1:
            send(settings, 1, 0)
        if kind == headers:
            bodies[number] = b""
        if kind == data:
            bodies[number] += content
        if kind not in (headers, data) or not flags & 1:
            continue
        if body := bodies.pop(number):
            how = ordered(body)
            if how == "goaway":
                send(goaway, 0, 0, struct.pack(">II", max(0, number - 2), 0))
            if how != "200":
                return
        time.sleep(THINKING)
        # Status 200 and the kind of the page, by their numbers in the table that all know.
        send(headers, 4, number, b"\x88\x0f\x10\x09text/html")
        send(data, 1, number, PAGE)


def serve(connection, context):
    try:
        stream = context.wrap_socket(connection, server_side=True)
        try:
            (speak_http2 if stream.selected_alpn_protocol() == "h2" else speak_http1)(stream)
        finally:
            stream.close()
    except (OSError, ValueError):
        pass


def listen(protocol, guests):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(HERE, "cert.pem"), os.path.join(HERE, "key.pem"))
    context.set_alpn_protocols([protocol])
    if guests == ["members"]:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(os.path.join(HERE, "cert.pem"))
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)

    def accept():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection, context), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


print(listen(sys.argv[1], sys.argv[2:]), flush=True)
for line in sys.stdin:
    print(orders[line.strip()], flush=True)
