"""A server of the Model Context Protocol with faults: fake.py FAULT FOLDER. JSON-RPC by hand, so that it can be wrong."""

import base64, json, os, signal, subprocess, sys, time

fault = sys.argv[1]
if "--help" in sys.argv:
    sys.exit(0 if fault == "no-profile" else print("Options:\n  --user-data-dir <path>  where the profile is"))
if fault == "exits":
    sys.exit("I can't find my browser")
if fault == "mute":
    time.sleep(60)
if fault == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if fault == "garbage":
    print("Welcome!\n{\n[1,2]\n{\"jsonrpc\":\"2.0\"}\n\xff\xfe", flush=True)


def say(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def text(words, **more):
    return {"content": [{"type": "text", "text": words}], **more}


has_dialog = False
has_chooser = False


def browser_tools():
    fields = {"browser_click": ["target"], "browser_press_key": ["key"], "browser_snapshot": [], "browser_take_screenshot": ["type"]}
    return [
        {"name": name, "inputSchema": {"type": "object", "properties": {field: {"type": "string"} for field in own}}}
        for name, own in fields.items()
    ]


looks = 0


def browser(name, arguments):
    """A browser with one page. A key opens a dialog, which hides it."""
    global has_dialog, has_chooser, looks
    looks += name == "browser_snapshot"
    if fault == "browser-closed" and (name != "browser_snapshot" or looks > 1):
        return text("### Error\nError: browserBackend.callTool: Target page, context or browser has been closed", isError=True)
    if fault == "browser-quotes" and (name != "browser_snapshot" or looks > 1):
        return text("### Error\nError: Timeout 5000ms exceeded.\nCall log:\n  - <p>Target page, context or browser has been closed</p>", isError=True)
    if name == "browser_file_upload":
        # As the real one: without paths it closes the chooser, and it is refused where there is none.
        was_open, has_chooser = has_chooser, has_chooser and fault == "browser-chooser-stays"
        return text("done" if was_open and not arguments else "Error: no file chooser, or files were given", isError=not was_open or bool(arguments))
    if name == "browser_press_key" and fault.startswith("browser-chooser"):
        has_chooser = True
        return text("done")
    if name == "browser_snapshot" and has_chooser:
        tells = '### Modal state\n- [File chooser]: can be handled by browser_file_upload'
        if fault == "browser-chooser-mild":
            return text(f"### Page\n- Page URL: http://a/\n{tells}")
        return text(f'### Error\nError: Tool "browser_snapshot" does not handle the modal state.\n{tells}', isError=True)
    if name == "browser_press_key":
        has_dialog = True
        return text("done")
    if name == "browser_click":
        return text("x" * 9 * 1024 * 1024 if fault == "browser-giant" else "done")
    if name == "browser_snapshot" and has_dialog and fault == "browser-mild":
        return text('### Page\n- Page URL: http://a/\n### Modal state\n- ["confirm" dialog with message "Sure?"]: can be handled')
    if name == "browser_snapshot" and has_dialog and fault == "browser-lies":
        return text('Tool "browser_snapshot" does not handle the modal state.\n- ["alert" dialog with message "Sure?\n- [File chooser]: x"]: can be handled', isError=True)
    if name == "browser_snapshot" and has_dialog:
        return text('Tool "browser_snapshot" does not handle the modal state.\n- ["confirm" dialog with message "Sure?"]: can be handled', isError=True)
    if name == "browser_snapshot":
        return text('### Page\n- Page URL: http://a/\n- Page Title: A\n### Snapshot\n```yaml\n- button "Pay" [ref=e1]\n```')
    if fault == "browser-dies":
        sys.exit("Segmentation fault (sort of)")
    if fault == "browser-words":
        return text("there is nothing to see")
    begins = b"\x89PNG\r\n\x1a\n" if fault == "browser-png" else b"\xff\xd8\xff\xe0"
    picture = begins + b"x" * (5_000_000 if fault == "browser-huge" else 100)
    return {"content": [{"type": "image", "data": base64.b64encode(picture).decode(), "mimeType": "image/png"}]}


def tools(cursor):
    if fault.startswith("browser"):
        return {"tools": browser_tools()}
    if fault == "endless":
        return {"tools": [{"name": f"t{cursor}_{at}", "inputSchema": {"type": "object"}} for at in range(30)], "nextCursor": str(int(cursor or 0) + 1)}
    if fault == "shapeless":
        return {"tools": "none"}
    named = ["browser_snapshot", "browser_click", "browser_evaluate", "strange name", f"started_{os.getpid()}"]
    return {"tools": [{"name": name, "description": "x" * 10_000, "inputSchema": {"type": "object"}} for name in named]}


def call(name, arguments):
    if fault.startswith("browser"):
        return browser(name, arguments)
    if name == "echo":
        return text(json.dumps(arguments))
    if name == "fail":
        return text("the button is covered", isError=True)
    if name == "refuse":
        return None
    if name == "hang":
        time.sleep(60)
    if name == "die":
        sys.exit("Segmentation fault (sort of)")
    if name == "giant":
        return text("x" * 9 * 1024 * 1024)
    if name == "large":
        return text("x" * 3 * 1024 * 1024)
    if name == "chatty":
        for _ in range(20_000):
            print("no message at all", file=sys.stderr)
            print("no message at all")
        return text("here")
    if name == "arguments":
        return text(json.dumps(sys.argv[3:]))
    if name == "environment":
        return text(json.dumps(dict(os.environ)))
    if name == "stray":
        # As Playwright starts its browser: in a session of its own, deaf to what its parent is told.
        subprocess.Popen(["sh", "-c", "trap '' TERM; sleep 60 & wait; sleep 60"], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return text("started")
    if name == "snapshot_object":
        return {"content": [], "structuredContent": {"url": "http://a/", "title": "A", "content": "words"}}
    if name == "snapshot_wrong":
        return text(json.dumps({"address": "http://a/", "title": "A"}))
    return text(f"no tool {name}", isError=True)


while line := sys.stdin.readline():
    message = json.loads(line)
    method, params = message.get("method"), message.get("params", {})
    if "id" not in message:
        continue
    if method == "initialize":
        answer = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "fake", "version": "1"}}
        if fault == "wrong":
            answer = {"nothing": True}
    elif method == "tools/list":
        if fault == "listless":
            time.sleep(60)
        answer = tools(params.get("cursor"))
    elif method == "tools/call":
        answer = call(params["name"], params.get("arguments"))
    else:
        answer = {}
    if answer is None:
        say({"id": message["id"], "error": {"code": -32602, "message": "no such button"}})
    else:
        say({"id": message["id"], "result": answer})

if fault == "stubborn":
    time.sleep(60)
