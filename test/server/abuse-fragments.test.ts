// @run live: attacks take long for what they find

import { beforeAll, expect, it } from "vitest";
import type { Running } from "../../server/serve";
import { fc } from "../support/fast-check.ts";
import {
  answerReader,
  answersIn,
  connected,
  heldSockets,
  type RawAnswer,
  rawBytes,
  untilReleased,
} from "./abuse-harness";
import { startForTests } from "./frame-harness";

let server: Running;
beforeAll(async () => {
  server = await startForTests();
});

function request(line: string, body = "", headers = ""): string {
  const common = `Host: x\r\nX-Vault-Token: ${server.secrets.token}\r\nContent-Length: ${body.length}\r\n`;
  return `${line} HTTP/1.1\r\n${common}${headers}\r\n${body}`;
}

/** What a role may hold; the last letters are those that verbs begin with, so that bodies run into them. */
const subject = fc.constantFrom("x", "UN", "LI", "LIST", "G");
const name = fc.constantFrom("a", "b", "c");
const step = fc.oneof(
  fc.record({ verb: fc.constant("POST" as const), name, subject }),
  fc.record({ verb: fc.constantFrom("GET" as const, "DELETE" as const), name }),
  fc.record({ verb: fc.constantFrom("LIST" as const, "SCAN" as const, "list" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function bytesOf(asked: Step, mount: string): string {
  const path = `/v1/auth/${mount}/role${"name" in asked ? `/${asked.name}` : ""}`;
  // A form may end with any letter, so nothing but its length tells where the next verb begins.
  const body = "subject" in asked ? `role_type=jwt&user_claim=sub&bound_subject=${asked.subject}` : "";
  const type = body === "" ? "" : "Content-Type: application/x-www-form-urlencoded\r\n";
  return request(`${asked.verb} ${path}`, body, type);
}

/** The status that a step has, and what it answers, by the roles that are there. */
function expected(asked: Step, roles: Map<string, string>): readonly [status: number, shown?: unknown] {
  if (asked.verb === "POST") {
    roles.set(asked.name, asked.subject);
    return [204];
  }
  if (asked.verb === "DELETE") {
    roles.delete(asked.name);
    return [204];
  }
  if (asked.verb === "GET") return roles.has(asked.name) ? [200, roles.get(asked.name)] : [404];
  if (asked.verb === "LIST") return roles.size > 0 ? [200, [...roles.keys()].sort()] : [404];
  return [405];
}

function shownBy({ status, body }: RawAnswer): readonly [status: number, shown?: unknown] {
  if (status !== 200) return [status];
  const { data } = JSON.parse(body);
  return [status, data.keys ?? data.bound_subject];
}

let mounts = 0;

it("answers the same however what is asked is cut into packets", { timeout: 120_000 }, async () => {
  const before = heldSockets();
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), cuts, async (steps, cutAt) => {
    mounts += 1;
    const mount = `cut-${mounts}`;
    const roles = new Map<string, string>();
    const wanted = [[204], ...steps.map((asked) => expected(asked, roles)), [204]];
    const enabling = request(`POST /v1/sys/auth/${mount}`, JSON.stringify({ type: "jwt" }));
    const asked = [enabling, ...steps.map((asked) => bytesOf(asked, mount)), request(`DELETE /v1/sys/auth/${mount}`)];
    const bytes = asked.join("");
    const socket = await connected(server.secrets.address);
    const read = answerReader(socket);
    let sent = 0;
    for (const end of [...cutAt.map((part) => Math.floor(part * bytes.length)), bytes.length].sort((a, b) => a - b)) {
      if (end > sent) socket.write(bytes.slice(sent, end));
      sent = end;
      // What was written goes out, and in, before more is written.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await read(wanted.length)).map(shownBy)).toEqual(wanted);
    socket.destroy();
  });
  await fc.assert(property, { numRuns: 150 });
  await untilReleased(before);
});

it("answers or refuses whatever is sent, and goes on", { timeout: 120_000 }, async () => {
  const before = heldSockets();
  const { address } = server.secrets;
  const role = JSON.stringify({ role_type: "jwt", user_claim: "sub", bound_subject: "x" });
  await rawBytes(address, request("POST /v1/auth/jwt/role/kept", role, "Connection: close\r\n"));
  const valid = (headers = "") => request("GET /v1/auth/jwt/role/kept", "", headers);
  const piece = fc.oneof(
    fc.constantFrom(
      "LIST",
      "GET",
      "POST",
      " ",
      "/v1/sys/mounts",
      "*",
      " HTTP/1.1\r\n",
      "\r\n",
      "\r\n\r\n",
      "\0",
      "%00",
    ),
    fc.constantFrom("Host: x\r\n", "Content-Length: 5\r\n", "Content-Length: -1\r\n", "Transfer-Encoding: chunked\r\n"),
    fc.constantFrom("5\r\nhello\r\n", "0\r\n\r\n", "ffffffff\r\n", '{"a":', "[[[[", "]", "Connection: close\r\n"),
    fc.string({ unit: "binary", maxLength: 30 }),
  );
  const property = fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.boolean(), async (pieces, isAfterValid) => {
    const bytes = Buffer.from((isAfterValid ? valid() : "") + pieces.join(""), "latin1");
    const answers = answersIn(await rawBytes(address, bytes, { halfClose: true }));
    for (const { status } of answers) expect([200, 204, 307, 400, 403, 404, 405, 431, 500, 501, 505]).toContain(status);
    if (isAfterValid) expect(answers[0]?.status).toBe(200);
    const [usual] = answersIn(await rawBytes(address, valid("Connection: close\r\n")));
    expect(JSON.parse(usual?.body ?? "").data.bound_subject).toBe("x");
  });
  await fc.assert(property, { numRuns: 300 });
  await untilReleased(before);
});
