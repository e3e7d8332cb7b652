"""Serves a small real model by llama.cpp's own server, until the pipe to this process is closed: serve.py MODEL

Prints its address once it listens. A model of this size seldom finds the form in which a tool is called. So in front of the
server, whoever offers tools has the answer held to a schema: one of the tools and what it takes. Which one, and what with, is
for the model to say. All else passes through untouched.
"""
import http.server
import json
import os
import socket
import sys
import threading
import time
import urllib.error
import urllib.request

import xllamacpp


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(model):
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.model_alias = {"small"}
    params.port = free_port()
    params.n_ctx = 8192
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = os.cpu_count() or 2
    params.use_jinja = True
    return xllamacpp.Server(params), f"http://127.0.0.1:{params.port}"


def wait_for(url):
    while True:
        try:
            if urllib.request.urlopen(url, timeout=5).status == 200:
                return
        except OSError:
            time.sleep(0.05)


def hold_to_tools(body):
    """The request without its tools, but with a schema that allows nothing else."""
    tools = [tool["function"] for tool in body.pop("tools")]
    choice = body.pop("tool_choice", "auto")
    body.pop("parallel_tool_calls", None)
    if isinstance(choice, dict):
        tools = [tool for tool in tools if tool["name"] == choice["function"]["name"]]
    shapes = [
        {
            "type": "object",
            "properties": {"tool": {"const": tool["name"]}, "input": tool["parameters"]},
            "required": ["tool", "input"],
            "additionalProperties": False,
        }
        for tool in tools
    ]
    body["response_format"] = {"type": "json_schema", "json_schema": {"name": "call", "schema": {"anyOf": shapes}}}
    told = [f'{tool["name"]}: {tool["description"]}' for tool in tools]
    plain = [{"role": "system", "content": "Answer with one tool and its input, as JSON. " + " ".join(told)}]
    for message in body["messages"]:
        content = message.get("content") or json.dumps(message.get("tool_calls"))
        role = "user" if message["role"] == "tool" else message["role"]
        plain.append({"role": role, "content": content})
    body["messages"] = plain
    body["stream"] = False
    body.pop("stream_options", None)
    return body


def as_call(answer):
    """The answer as a stream of one call, or of words where the model was cut short."""
    choice = answer["choices"][0]
    delta = {"role": "assistant", "content": choice["message"]["content"]}
    why = choice["finish_reason"]
    try:
        said = json.loads(delta["content"])
        function = {"name": said["tool"], "arguments": json.dumps(said["input"])}
        call = {"index": 0, "id": "call_" + answer["id"][-8:], "type": "function", "function": function}
        delta, why = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
    except ValueError:
        pass
    for choices, usage in ([{"index": 0, "delta": delta, "finish_reason": why}], None), ([], answer["usage"]):
        yield json.dumps({"object": "chat.completion.chunk", "choices": choices, "usage": usage})
    yield "[DONE]"


class Front(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        # The same question gets the same answer.
        body.update(temperature=0, seed=1)
        has_tools = bool(body.get("tools"))
        if has_tools:
            body = hold_to_tools(body)
        request = urllib.request.Request(BACK + self.path, json.dumps(body).encode(), {"content-type": "application/json"})
        try:
            answer = urllib.request.urlopen(request, timeout=600)
        except urllib.error.HTTPError as refused:
            self.send_response(refused.code)
            self.end_headers()
            self.wfile.write(refused.read())
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        if has_tools:
            for data in as_call(json.load(answer)):
                self.wfile.write(f"data: {data}\n\n".encode())
            return
        for line in answer:
            self.wfile.write(line)
            self.wfile.flush()

    def log_message(self, *_):
        pass


server, BACK = start(sys.argv[1])
wait_for(BACK + "/health")
front = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Front)
threading.Thread(target=front.serve_forever, daemon=True).start()
print("127.0.0.1:%d" % front.server_address[1], flush=True)
sys.stdin.read()
os._exit(0)
