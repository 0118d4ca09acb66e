// The least that Node's HTTP server can do: reads the body and answers with fixed bytes. Prints its address.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const [status = "200", body = ""] = process.argv.slice(2);
const bytes = Buffer.from(body);
const headers = { "content-type": "application/json", ...(bytes.length > 0 ? { "content-length": bytes.length } : {}) };

const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(Number(status), headers).end(bytes));
});
server.listen(0, "127.0.0.1", () => {
  // Listening on TCP, so not a path.
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
