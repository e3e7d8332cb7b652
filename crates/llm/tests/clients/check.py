"""Holds requests against the types of the vendors' official clients: names, kinds and whatever has to be there.

Reads a list of {"wire", "body"} as JSON from its input, and writes for each of them what is wrong with it, or null.
"""

import collections.abc
import json
import sys
import types
import typing
import warnings

import pydantic
import typing_extensions
from anthropic.types.message_create_params import MessageCreateParamsStreaming
from google.genai import types as gemini
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming


class Wrong(Exception):
    """What is wrong, and where."""


def check(value, kind, where):
    """Raises where a value is not of this kind. Nothing is converted, and nothing unknown is let through."""
    if isinstance(kind, typing.ForwardRef) or isinstance(kind, str):
        raise Wrong(f"{where}: the type {kind} can't be looked up")
    if isinstance(kind, typing_extensions.TypeAliasType):
        return check(value, kind.__value__, where)
    if kind in (typing.Any, object):
        return None
    if typing_extensions.is_typeddict(kind):
        return check_fields(value, kind, where)
    origin, inner = typing_extensions.get_origin(kind), typing_extensions.get_args(kind)
    if origin in (typing_extensions.Required, typing_extensions.NotRequired, typing_extensions.Annotated):
        return check(value, inner[0], where)
    if origin in (typing.Union, types.UnionType):
        return check_any(value, inner, where)
    if origin is typing_extensions.Literal:
        ok = any(value == one and type(value) is type(one) for one in inner)
    elif origin is not None and issubclass(origin, collections.abc.Mapping):
        if not isinstance(value, dict):
            raise Wrong(f"{where}: {kind} is wanted")
        return [check(one, inner[1], f"{where}.{name}") for name, one in value.items()]
    elif origin is not None and issubclass(origin, collections.abc.Iterable):
        if not isinstance(value, list):
            raise Wrong(f"{where}: a list is wanted")
        return [check(one, inner[0], f"{where}[{at}]") for at, one in enumerate(value)]
    elif kind in (None, type(None)):
        ok = value is None
    elif kind is float:
        ok = type(value) in (int, float)
    else:
        ok = type(value) is kind
    if not ok:
        raise Wrong(f"{where}: {kind} is wanted")
    return None


def check_any(value, kinds, where):
    """One of these kinds has to fit. Of those that do not, the one that goes furthest is told."""
    wrong = []
    for kind in kinds:
        try:
            return check(value, kind, where)
        except Wrong as error:
            wrong.append(str(error))
    raise Wrong(max(wrong, key=lambda text: len(text.split(":")[0])))


def check_fields(value, kind, where):
    if not isinstance(value, dict):
        raise Wrong(f"{where}: an object is wanted")
    fields = typing_extensions.get_type_hints(kind, include_extras=True)
    for name in value:
        if name not in fields:
            raise Wrong(f"{where}.{name}: {kind.__name__} has no such field")
    for name, inner in fields.items():
        origin = typing_extensions.get_origin(inner)
        is_total = name in kind.__required_keys__ and origin is not typing_extensions.NotRequired
        if name in value:
            check(value[name], inner, f"{where}.{name}")
        elif origin is typing_extensions.Required or is_total:
            raise Wrong(f"{where}.{name}: {kind.__name__} needs it")


class GeminiRequest(pydantic.BaseModel):
    """The body of a request, of the client's own types: that client has none for the whole."""

    model_config = pydantic.ConfigDict(extra="forbid", val_json_bytes="base64")

    systemInstruction: gemini.Content
    contents: list[gemini.Content]
    tools: list[gemini.Tool] | None = None
    toolConfig: gemini.ToolConfig | None = None
    generationConfig: gemini.GenerationConfig


def check_gemini(body):
    # Words that the client does not know are only warned of.
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            request = GeminiRequest.model_validate_json(json.dumps(body), strict=True)
        except pydantic.ValidationError as error:
            raise Wrong("; ".join(f"{one['loc']}: {one['msg']}" for one in error.errors())) from error
    if warned:
        raise Wrong("; ".join(str(one.message) for one in warned))
    # In the client's types nearly nothing has to be there. On the wire this does.
    for content in request.contents:
        if content.role not in ("user", "model") or not content.parts:
            raise Wrong("a content needs a role and parts")
        for part in content.parts:
            call, result = part.function_call, part.function_response
            if (call and not call.name) or (result and not (result.name and result.response)):
                raise Wrong("calls need a name, results a name and a response")


WIRES = {
    "messages": lambda body: check(body, MessageCreateParamsStreaming, "body"),
    "chat": lambda body: check(body, CompletionCreateParamsStreaming, "body"),
    "responses": lambda body: check(body, ResponseCreateParamsStreaming, "body"),
    "gemini": check_gemini,
}


def wrong_with(request):
    try:
        WIRES[request["wire"]](request["body"])
    except Wrong as error:
        return str(error)
    return None


json.dump([wrong_with(request) for request in json.load(sys.stdin)], sys.stdout)
