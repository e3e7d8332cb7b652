// One errand by the official TypeScript client: node errand.mjs '{"command": […], "url": …, "token": …, "page": …}'.
// Writes what each step answered as one JSON object; the test that started it judges.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const wishes = JSON.parse(process.argv[2]);
// The client lies in the cache, and not beside this file.
const { resolve } = createRequire(`${wishes.modules}/package.json`);
const load = (name) => import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/${name}`)).href);
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");

const transport = wishes.command
  ? new StdioClientTransport({ command: wishes.command[0], args: wishes.command.slice(1), env: wishes.env })
  : new StreamableHTTPClientTransport(new URL(wishes.url), { requestInit: { headers: { Authorization: `Bearer ${wishes.token}` } } });

const last = (text, pattern) => [...text.matchAll(pattern)].at(-1)[1];
const named = (text, key) => last(text, new RegExp(`^${key} (\\S+)$`, "gm"));
const number = (text, what) => Number(last(text, new RegExp(`^\\s*(\\d+) ${what}`, "gm")));

const steps = {};
const client = new Client({ name: "errand", version: "1" });
await client.connect(transport);

const call = async (step, name, args, options) => {
  const result = await client.callTool({ name, arguments: args }, undefined, options);
  const text = result.content.filter((block) => block.type === "text").map((block) => block.text).join("\n");
  const kinds = result.content.map((block) => block.mimeType ?? "text");
  steps[step] = { failed: result.isError === true, text, kinds, structured: result.structuredContent ?? null };
  return text;
};

steps.tools = (await client.listTools()).tools.map((tool) => tool.name);
let text = await call("open", "browser_open", { url: wishes.page });
const [sessionId, first] = [named(text, "session"), named(text, "observation")];
const act = (step, observationId, action, actionId, more = {}, options = undefined) => {
  const target = actionId === undefined ? { kind: "page" } : { kind: "element", actionId };
  return call(step, "browser_act", { sessionId, observationId, target, action, ...more }, options);
};

const field = number(text, 'textbox "Name"');
text = await act("fill", first, { type: "fill", value: "Ada" }, field, { expect: { inputValueEquals: { actionId: field, value: "Ada" } } });
const second = named(text, "observation");
await act("stale", first, { type: "click" }, number(text, 'button "Add to basket"'));
const expect = { textAppeared: "In the basket for Ada", requestSent: { method: "POST", path: "/basket" } };
text = await act("click", second, { type: "click" }, number(text, 'button "Add to basket"'), { expect });
await act("danger", named(text, "observation"), { type: "click" }, number(text, 'button "Place order"'));
await call("malformed", "browser_act", { sessionId, action: { type: "evaluate" } });
await call("screenshot", "browser_screenshot", { sessionId, marked: true });
text = await call("observe", "browser_observe", { sessionId, format: "json" });

steps.progress = [];
const onprogress = ({ progress, message }) => steps.progress.push([progress, message]);
text = await act("wait", named(text, "observation"), { type: "wait", for: "timeout", ms: 2500 }, undefined, {}, { onprogress });

const controller = new AbortController();
const endless = act("endless", named(text, "observation"), { type: "wait", for: "timeout", ms: 30000 }, undefined, {}, {
  signal: controller.signal,
  onprogress: () => controller.abort(),
});
steps.cancelled = await endless.then(() => false, () => true);
await call("after", "browser_observe", { sessionId }, { timeout: 20000 });
await call("read", "browser_read", { sessionId });
await call("close", "browser_close", { sessionId });
await call("closed", "browser_observe", { sessionId });
steps.protocol = transport.protocolVersion ?? null;
await client.close();
console.log(JSON.stringify(steps));
