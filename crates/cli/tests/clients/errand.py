"""One errand by the official Python client: python3 errand.py '{"command": […], "url": …, "token": …, "mode": …, "page": …}'.

Writes what each step answered as one JSON object; the test that started it judges."""

import asyncio
import json
import re
import sys

from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

WISHES = json.loads(sys.argv[1])


def transport():
    if "command" in WISHES:
        command, *args = WISHES["command"]
        return stdio_client(StdioServerParameters(command=command, args=args, env=WISHES["env"]))
    headers = {"Authorization": f"Bearer {WISHES['token']}"}
    return streamable_http_client(WISHES["url"], http_client=create_mcp_http_client(headers=headers))


def named(text, key):
    return re.findall(rf"^{key} (\S+)$", text, re.MULTILINE)[-1]


def number(text, what):
    return int(re.findall(rf"^\s*(\d+) {re.escape(what)}", text, re.MULTILINE)[-1])


async def errand():
    steps = {}
    async with Client(transport(), mode=WISHES["mode"]) as client:
        steps["protocol"] = client.protocol_version

        async def call(step, tool, arguments, **more):
            result = await client.call_tool(tool, arguments, **more)
            texts = [block.text for block in result.content if block.type == "text"]
            steps[step] = {
                "failed": bool(result.is_error),
                "text": "\n".join(texts),
                "kinds": [getattr(block, "mime_type", "text") for block in result.content],
                "structured": result.structured_content,
            }
            return steps[step]["text"]

        steps["tools"] = [tool.name for tool in (await client.list_tools()).tools]
        text = await call("open", "browser_open", {"url": WISHES["page"]})
        session, first = named(text, "session"), named(text, "observation")

        async def act(step, observation, action, target=None, **more):
            arguments = {"sessionId": session, "observationId": observation, "action": action}
            if target is not None:
                arguments["target"] = {"kind": "element", "actionId": target}
            calling = {name: more.pop(name) for name in ["progress_callback"] if name in more}
            return await call(step, "browser_act", arguments | more, **calling)

        field = number(text, 'textbox "Name"')
        text = await act("fill", first, {"type": "fill", "value": "Ada"}, field, expect={"inputValueEquals": {"actionId": field, "value": "Ada"}})
        second = named(text, "observation")
        await act("stale", first, {"type": "click"}, number(text, 'button "Add to basket"'))
        expected = {"textAppeared": "In the basket for Ada", "requestSent": {"method": "POST", "path": "/basket"}}
        text = await act("click", second, {"type": "click"}, number(text, 'button "Add to basket"'), expect=expected)
        third = named(text, "observation")
        await act("danger", third, {"type": "click"}, number(text, 'button "Place order"'))
        await call("malformed", "browser_act", {"sessionId": session, "action": {"type": "evaluate"}})
        await call("screenshot", "browser_screenshot", {"sessionId": session, "marked": True})
        text = await call("observe", "browser_observe", {"sessionId": session, "format": "json"})

        told = []

        async def progress(value, _total, message):
            told.append([value, message])

        waiting = {"type": "wait", "for": "timeout", "ms": 2500}
        text = await act("wait", named(text, "observation"), waiting, progress_callback=progress)
        steps["progress"] = list(told)

        begun = asyncio.Event()

        async def begins(_value, _total, _message):
            begun.set()

        endless = {"type": "wait", "for": "timeout", "ms": 30000}
        long = asyncio.create_task(act("endless", named(text, "observation"), endless, progress_callback=begins))
        await begun.wait()
        long.cancel()
        try:
            await long
            steps["cancelled"] = False
        except asyncio.CancelledError:
            steps["cancelled"] = True
        await asyncio.wait_for(call("after", "browser_observe", {"sessionId": session}), 20)
        await call("read", "browser_read", {"sessionId": session})
        await call("close", "browser_close", {"sessionId": session})
        await call("closed", "browser_observe", {"sessionId": session})
    print(json.dumps(steps))


asyncio.run(errand())
