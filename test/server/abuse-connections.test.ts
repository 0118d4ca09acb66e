// @run live: attacks take long for what they find

import { once } from "node:events";
import { beforeAll, describe, expect, it } from "vitest";
import { faultScript } from "../../server/faults/fault-script";
import type { Running } from "../../server/serve";
import { answerReader, answersIn, connected, heldSockets, rawBytes, untilClosed, untilReleased } from "./abuse-harness";
import { type Ask, askSecrets, startForTests } from "./frame-harness";

const timeouts = { headersMs: 300, requestMs: 600, idleMs: 600 };

let server: Running;
let hurried: Running;
let ask: Ask;
beforeAll(async () => {
  server = await startForTests();
  hurried = await startForTests({ timeouts });
  ask = askSecrets(server);
});

const request = (line: string, { to = server, body = "" } = {}) =>
  `${line} HTTP/1.1\r\nHost: x\r\nX-Vault-Token: ${to.secrets.token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const roleBody = (subject: string) => JSON.stringify({ role_type: "jwt", user_claim: "sub", bound_subject: subject });

describe("1,000 clients at the same time, each on a connection of its own", () => {
  it("write, read, list and delete their roles, and nothing is lost or mixed up", { timeout: 120_000 }, async () => {
    const before = heldSockets();
    await ask("POST sys/auth/crowd", { type: "jwt" });
    const path = "/v1/auth/crowd/role";
    const client = async (index: number) => {
      const socket = await connected(server.secrets.address);
      const answers = answerReader(socket);
      const name = `role-${index}`;
      const lines: [line: string, body?: string][] = [
        [`POST ${path}/${name}`, roleBody(name)],
        [`GET ${path}/${name}`],
        [`LIST ${path}`],
        [`POST ${path}/${name}`, roleBody(`${name}-again`)],
        [`GET ${path}/${name}`],
      ];
      for (const [index, [line, body]] of lines.entries()) {
        socket.write(request(line, { body: body ?? "" }));
        await answers(index + 1);
      }
      const [written, read, listed, rewritten, reread] = await answers(lines.length);
      expect([written, read, listed, rewritten, reread].map((answer) => answer?.status)).toEqual([
        204, 200, 200, 204, 200,
      ]);
      expect(JSON.parse(read?.body ?? "").data.bound_subject).toBe(name);
      expect(JSON.parse(listed?.body ?? "").data.keys).toContain(name);
      expect(JSON.parse(reread?.body ?? "").data.bound_subject).toBe(`${name}-again`);
      return socket;
    };
    const sockets = await Promise.all(Array.from({ length: 1000 }, (_, index) => client(index)));
    const { data } = await ask("LIST auth/crowd/role");
    expect(data?.["keys"]).toHaveLength(1000);
    for (const socket of sockets) socket.end();
    await untilReleased(before + 1);
  });
});

describe("requests in one packet", () => {
  it("are answered in their order, whatever their verbs, also after one that is slow", async () => {
    await ask("POST auth/jwt/role/piped", roleBody("x"));
    server.faults.add(faultScript.parse("GET auth/jwt/role/piped slow:200 x1"));
    const socket = await connected(server.secrets.address);
    const read = answerReader(socket);
    const body = "bound_subject=LI";
    const lines = [
      "GET /v1/auth/jwt/role/piped",
      "LIST /v1/auth/jwt/role",
      "SCAN /v1/auth/jwt/role",
      "LIST /v1/cloud/roles",
    ];
    const form = `POST /v1/auth/jwt/role/form HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    // A form does not end with a line, so the verb after it begins in the middle of one.
    socket.write(lines.map((line) => request(line)).join("") + form + request("LIST /v1/auth/jwt/role"));
    const answers = await read(6);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 405, 404, 400, 200]);
    socket.destroy();
  });

  it("that are broken are refused after those before them have their answers", async () => {
    const received = await rawBytes(server.secrets.address, `${request("GET /v1/sys/mounts")}(broken)\r\n\r\n`);
    expect(answersIn(received).map(({ status }) => status)).toEqual([200, 400]);
  });
});

describe("a LIST", () => {
  it("may come letter by letter", async () => {
    const socket = await connected(server.secrets.address);
    const read = answerReader(socket);
    for (const round of [1, 2]) {
      for (const letter of request("LIST /v1/cloud/roles")) {
        socket.write(letter);
        // Each letter in a packet, and in a turn of the server, of its own.
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect((await read(round)).map(({ status }) => status)).toEqual(Array(round).fill(404));
    }
    socket.destroy();
  });

  it("leaves nothing behind on its connection, however often it is asked", async () => {
    const warnings: Error[] = [];
    const noteWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", noteWarning);
    const socket = await connected(server.secrets.address);
    const read = answerReader(socket);
    for (let count = 1; count <= 50; count += 1) {
      socket.write(request("LIST /v1/cloud/roles"));
      await read(count);
    }
    socket.destroy();
    await once(socket, "close");
    process.off("warning", noteWarning);
    expect(warnings).toEqual([]);
  });
});

describe("a client that takes its time", () => {
  const slow: readonly [name: string, sent: () => string][] = [
    ["says nothing", () => ""],
    ["stops in a verb", () => "LIS"],
    ["stops in its headers", () => "GET /v1/sys/mounts HTTP/1.1\r\nHost: x\r\n"],
    ["stops in the headers of a LIST", () => "LIST /v1/cloud/roles HTTP/1.1\r\nHost: x\r\n"],
    ["stops in its body", () => request("POST /v1/auth/jwt/config", { to: hurried, body: "{}" }).slice(0, -1)],
    ["asks nothing more", () => request("GET /v1/sys/mounts", { to: hurried })],
    ["asks nothing more after a LIST", () => request("LIST /v1/cloud/roles", { to: hurried })],
  ];

  it.each(slow)("and %s is disconnected, without a word about it", async (_name, sent) => {
    const before = heldSockets();
    const received = await rawBytes(hurried.secrets.address, sent());
    const isAsked = sent().endsWith("\r\n\r\n");
    expect(answersIn(received)).toHaveLength(isAsked ? 1 : 0);
    await untilReleased(before);
  });

  it("and sends headers one by one is disconnected all the same", async () => {
    const socket = await connected(hurried.secrets.address);
    const closed = untilClosed(socket);
    socket.write("GET /v1/sys/mounts HTTP/1.1\r\n");
    const drip = setInterval(() => socket.write("X-A: b\r\n"), 20);
    expect(await closed).toHaveLength(0);
    clearInterval(drip);
  });

  it("but stays below the limits is answered, also when its connection is older than they are", async () => {
    const socket = await connected(hurried.secrets.address);
    const read = answerReader(socket);
    const started = performance.now();
    let count = 0;
    // A LIST leaves a parser behind that still watches the time of its own request.
    while (performance.now() - started < 4 * timeouts.headersMs) {
      socket.write(request(count % 2 === 0 ? "LIST /v1/cloud/roles" : "GET /v1/sys/mounts", { to: hurried }));
      count += 1;
      expect(await read(count)).toHaveLength(count);
      // Time itself is what is tested.
      await new Promise((resolve) => setTimeout(resolve, timeouts.headersMs / 3));
    }
    expect(socket.destroyed).toBe(false);
    socket.destroy();
  });
});

describe("a client that goes", () => {
  it.each(["GET /v1/sys/mounts", "LIST /v1/auth/jwt/role"])(
    "after it has asked %s still gets its answer",
    async (line) => {
      await ask("POST auth/jwt/role/any", roleBody("x"));
      const received = await rawBytes(server.secrets.address, request(line), { halfClose: true });
      expect(answersIn(received).map(({ status }) => status)).toEqual([200]);
    },
  );

  it("in the middle of its body, or of its answer, is nobody's trouble", async () => {
    const before = heldSockets();
    const body = roleBody("x");
    const half = request("POST /v1/auth/jwt/role/half", { body }).slice(0, -10);
    for (const bytes of [half, request("GET /v1/sys/mounts"), request("LIST /v1/auth/jwt/role")]) {
      const socket = await connected(server.secrets.address);
      socket.write(bytes);
      socket.resetAndDestroy();
    }
    await untilReleased(before);
    expect((await ask("GET auth/jwt/role/half")).status).toBe(404);
  });

  it("ends the query that it waited for", async () => {
    const before = heldSockets();
    const { address, token } = server.cluster;
    const asking = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\nX-Consul-Token: ${token}\r\n\r\n`;
    server.log.clear();
    const sockets = await Promise.all(Array.from({ length: 100 }, () => connected(address)));
    for (const socket of sockets) {
      const read = answerReader(socket);
      // The first is answered at once, the second when something changes.
      socket.write(asking("/v1/status/leader") + asking("/v1/peerings?index=1000000&wait=10m"));
      await read(1);
    }
    const ended = () => server.log.all().filter(({ path }) => path === "/v1/peerings").length;
    expect(ended()).toBe(0);
    for (const socket of sockets) socket.resetAndDestroy();
    await expect.poll(ended).toBe(100);
    await untilReleased(before);
  });
});
