// Passes requests on with a token that their sender can't give: node bearer_proxy.mjs TARGET_PORT TOKEN. Prints its own port.
import http from "node:http";

const [port, token] = process.argv.slice(2);
const server = http.createServer((asked, answer) => {
  const headers = { ...asked.headers, authorization: `Bearer ${token}` };
  const onward = http.request({ host: "127.0.0.1", port, path: asked.url, method: asked.method, headers }, (got) => {
    answer.writeHead(got.statusCode, got.headers);
    got.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  answer.on("close", () => onward.destroy());
  asked.pipe(onward);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
