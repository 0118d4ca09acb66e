import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Dialect } from "../../../provider/dialects/dialect.ts";
import { dialects } from "../../../provider/dialects/index.ts";
import { apiError, recordIn } from "../../../provider/engine/answer.ts";
import type { ApiRequest, Reply } from "../../../provider/engine/api-request.ts";
import { redactor } from "../../../provider/http/redact.ts";
import { always, standIn } from "../../support/connection-stand-in.ts";
import { fc } from "../../support/fast-check.ts";

type DialectName = keyof typeof dialects;

/** A read of one record, and one of a list, of each API family. */
const reads: readonly (readonly [DialectName, string])[] = [
  ["vault", "auth/jwt/role/ci"],
  ["vault", "auth/jwt/role?list=true"],
  ["vault", "sys/auth"],
  ["vault", "sys/mounts"],
  ["consul", "v1/peering/b"],
  ["consul", "v1/peerings"],
  ["consul", "v1/peerings?partition=p"],
  ["tfe", "policy-sets/polset-a/parameters/var-b"],
  ["tfe", "policy-sets/polset-a/parameters"],
];

const deep = (levels: number) => `${'{"data":'.repeat(levels)}{}${"}".repeat(levels)}`;
const entry = { id: "var-b", type: "vars", attributes: { key: "k" } };

async function replyTo(dialect: DialectName, request: ApiRequest, status: number, body: unknown): Promise<Reply> {
  const { connection } = await standIn(dialect, always(status, body), { offline: true });
  return connection.ask(request);
}

describe("an answer that is none of the API's is an error, and no missing record", () => {
  const bodies = [{ message: "blocked" }, "null", {}, [], "", " \n", '"ok"', "5", [{}], [null], "{"];

  it.each(reads.flatMap(([dialect, path]) => bodies.map((body) => [dialect, path, body] as const)))(
    "%s %s answered with %j",
    async (dialect, path, body) => {
      // Consul's list of no peerings is an empty list.
      if (dialect === "consul" && path.startsWith("v1/peerings") && Array.isArray(body) && body.length === 0) return;
      await expect(replyTo(dialect, { method: "GET", path }, 200, body)).rejects.toMatchObject({
        code: "ResponseError",
        message: expect.stringMatching(/^the server answered 200.* \(GET [^?]+\)\. Check the address/),
      });
    },
  );

  it.each(reads)("%s %s answered with JSON that is nested too deeply", async (dialect, path) => {
    const answer = replyTo(dialect, { method: "GET", path }, 200, deep(5000));
    await expect(answer).rejects.toMatchObject({ message: expect.stringContaining("nested too deeply") });
  });

  it.each(reads)("%s %s answered with 204", async (dialect, path) => {
    await expect(replyTo(dialect, { method: "GET", path }, 204, "")).rejects.toMatchObject({ code: "ResponseError" });
  });

  it.each([
    ["vault", "auth/jwt/role/ci", { data: [] }],
    ["vault", "auth/jwt/role/ci", { data: null, warnings: ["w"] }],
    ["vault", "auth/jwt/role?list=true", { data: {} }],
    ["vault", "auth/jwt/role?list=true", { data: { keys: null } }],
    ["vault", "auth/jwt/role?list=true", { data: { keys: ["a", 5] } }],
    ["vault", "sys/auth", { data: {} }],
    ["vault", "sys/mounts", { data: { "cloud/": "aws" } }],
    ["consul", "v1/peering/b", { name: "b" }],
    ["consul", "v1/peering/b", [{ Name: "b" }]],
    ["consul", "v1/peerings", [{ Name: "b" }, {}]],
    ["tfe", "policy-sets/polset-a/parameters/var-b", { data: { ...entry, id: 5 } }],
    ["tfe", "policy-sets/polset-a/parameters/var-b", { data: [entry] }],
    ["tfe", "policy-sets/polset-a/parameters", { data: entry }],
    ["tfe", "policy-sets/polset-a/parameters", { data: [entry, { id: "var-c", type: "vars" }] }],
    ["tfe", "policy-sets/polset-a/parameters", { data: [{ ...entry, type: undefined }] }],
  ] as const)("%s %s answered with %j", async (dialect, path, body) => {
    await expect(replyTo(dialect, { method: "GET", path }, 200, body)).rejects.toMatchObject({ code: "ResponseError" });
  });

  it("whatever it is: no JSON makes a defect of it", () => {
    const members = [
      "data",
      "keys",
      "errors",
      "warnings",
      "auth",
      "links",
      "next",
      "id",
      "detail",
      "title",
      "toString",
    ];
    const keys = fc.constantFrom(...members, "version", "cluster_id", "TrustDomain", "Name", "__proto__");
    const { whole } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4, depthSize: "small" },
        fc.constantFrom(null, true, 0, "", "x"),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(keys, tie("tree"), { maxKeys: 4 }),
      ),
      // What the code looks at, first of all.
      whole: fc.oneof(
        tie("tree"),
        fc.record({ errors: fc.array(tie("tree"), { maxLength: 2 }) }),
        fc.record({ data: tie("tree"), warnings: tie("tree"), links: tie("tree"), auth: tie("tree") }),
      ),
    }));
    fc.assert(
      fc.property(
        whole,
        fc.constantFrom(...reads),
        fc.constantFrom(200, 400, 404, 429),
        (json, [name, path], status) => {
          const dialect: Dialect = dialects[name];
          const request = { method: "GET", path } as const;
          const answer = { status, headers: {}, text: JSON.stringify(json) };
          const asked = { request, redact: redactor([]) };
          dialect.isAbsent(answer);
          dialect.doubt?.(request, { ...answer, status: 404 })?.isGone(answer);
          dialect.server(answer, { host: "h", namespace: undefined });
          expect(apiError(dialect, asked, answer).code).toBe("ApiError");
          try {
            const found = recordIn(dialect, asked, answer).json;
            dialect.issued?.(found);
            dialect.nextPage?.(found);
          } catch (error) {
            expect(error).toMatchObject({ code: "ResponseError" });
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("a caller that says what it expects", () => {
  it("of a write gets it, or an error", async () => {
    const write = { method: "POST", path: "cloud/config/rotate-root", expects: "record" } as const;
    await expect(replyTo("vault", write, 200, { message: "blocked" })).rejects.toMatchObject({ code: "ResponseError" });
    await expect(replyTo("vault", write, 204, "")).rejects.toMatchObject({ code: "ResponseError" });
    expect(await replyTo("vault", write, 200, { data: { a: 1 } })).toMatchObject({ kind: "found", record: { a: 1 } });
    const token = { method: "POST", path: "v1/peering/token", expects: "record" } as const;
    expect(await replyTo("consul", token, 200, { PeeringToken: "t" })).toMatchObject({ record: { PeeringToken: "t" } });
  });

  it("of nothing in particular gets what there is", async () => {
    const read = { method: "GET", path: "sys/leader", expects: "anything" } as const;
    expect(await replyTo("vault", read, 200, { is_self: true })).toMatchObject({ kind: "found", record: undefined });
    expect(await replyTo("vault", { method: "DELETE", path: "sys/auth/x" }, 204, "")).toMatchObject({ kind: "found" });
  });

  it.each([
    ["vault", "auth/jwt/role?list=true", 404, { errors: [] }],
    ["vault", "auth/jwt/role/ci", 404, { errors: [] }],
    ["consul", "v1/peering/b", 404, 'Peering not found for "b"'],
  ] as const)("is told that %s %s is not there", async (dialect, path, status, body) => {
    expect(await replyTo(dialect, { method: "GET", path }, status, body)).toEqual({ kind: "absent" });
  });
});

describe("what a server says of a refused request", () => {
  const [token, secret] = [`t-${randomUUID()}`, `s/"${randomUUID()}`];
  const write = { method: "POST", path: "auth/jwt/config", members: { secret }, secrets: [secret] } as const;

  it.each(["vault", "consul", "tfe"] as const)("of %s is repeated without token and secrets", async (dialect) => {
    const { connection, log } = await standIn(
      dialect,
      async (incoming, outgoing) => {
        const body = (await incoming.toArray()).join("");
        const echo = `bad: \u001b[31m${JSON.stringify(incoming.headers)} ${body} ${encodeURIComponent(secret)} \u202e${secret}`;
        const errors = dialect === "vault" ? [echo] : [{ status: "400", title: echo }];
        outgoing.writeHead(400).end(dialect === "consul" ? echo : JSON.stringify({ errors, warnings: [echo] }));
      },
      { token },
    );
    const error = await connection.ask(write).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: "ApiError",
      status: 400,
      message: expect.stringMatching(/^400 bad: .*\[redacted\]/),
    });
    const shown = [String(error), JSON.stringify(error), ...log].join("\n");
    for (const part of [
      token,
      secret,
      secret.slice(3),
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
    ])
      expect(shown).not.toContain(part);
    expect(shown).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}|\\u001b/u);
  });

  it("is cut where it is long, and where it is much", async () => {
    const { connection } = await standIn("vault", always(500, { errors: Array(1000).fill("x".repeat(10_000)) }));
    const error = await connection.ask(write).catch((reason: unknown) => reason);
    expect(String(error).length).toBeLessThan(2000);
    expect(String(error)).toContain("and 995 more");
  });
});

describe("a warning of the server", () => {
  it("is passed on once, naming the request, without secrets", async () => {
    const [token, secret] = [randomUUID(), randomUUID()];
    const warnings = ["Endpoint ignored [nmae]", `kept\n${secret} and ${token}`, 5, null];
    const { connection, log } = await standIn("vault", always(200, { data: null, warnings }), { token });
    const write = { method: "POST", path: "auth/jwt/role/ci", secrets: [secret] } as const;
    await connection.ask(write);
    await connection.ask(write);
    expect(log).toEqual([
      "warning: the server warns: Endpoint ignored [nmae] (POST auth/jwt/role/ci)",
      "warning: the server warns: kept [redacted] and [redacted] (POST auth/jwt/role/ci)",
    ]);
  });
});

describe("a rate limit", () => {
  it("is waited for without using up attempts, by a write too", async () => {
    let refusals = 3;
    const { connection, asked } = await standIn("tfe", (incoming, outgoing) => {
      const isRefused = refusals-- > 0;
      always(isRefused ? 429 : 201, { data: entry }, { "x-ratelimit-reset": "0.001" })(incoming, outgoing);
    });
    const write = { method: "POST", path: "policy-sets/polset-a/parameters", members: {}, mints: true } as const;
    expect(await connection.ask(write)).toMatchObject({ kind: "found", record: { id: "var-b", key: "k" } });
    expect(asked).toHaveLength(4);
  });

  it("that nobody waits for is named as it is announced", async () => {
    const { connection } = await standIn("tfe", always(429, "", { "retry-after": "61", "x-ratelimit-limit": "5" }));
    await expect(connection.ask({ method: "GET", path: "policy-sets/polset-a/parameters" })).rejects.toMatchObject({
      code: "ApiError",
      retryAfterMs: 61_000,
      message: expect.stringContaining("The rate limit of 5 requests a second is used up"),
    });
  });
});

describe("a redirect to another origin", () => {
  it.each(["consul", "tfe"] as const)("gets no request of %s, and is said", async (dialect) => {
    const other = await standIn(dialect, always(200, {}));
    const { connection } = await standIn(dialect, (incoming, outgoing) => {
      outgoing.writeHead(307, { location: other.origin + incoming.url }).end();
    });
    await expect(connection.ask({ method: "POST", path: "v1/peering/token", members: {} })).rejects.toMatchObject({
      code: "ApiError",
      message: `307 (POST v1/peering/token). The server redirects to ${other.origin}; set that as the address.`,
    });
    expect(other.asked).toEqual([]);
  });

  it.each([
    [true, ["POST /v1/auth/jwt/role/ci"]],
    [false, []],
  ])("of a standby of Vault is followed unless that is switched off: %s", async (followRedirects, asked) => {
    const active = await standIn("vault", always(204, ""));
    const moved = (url = "") => active.origin + url;
    const { connection } = await standIn(
      "vault",
      ({ url }, outgoing) => void outgoing.writeHead(307, { location: moved(url) }).end(),
      { followRedirects },
    );
    const outcome = await connection.ask({ method: "POST", path: "auth/jwt/role/ci", members: {} }).then(
      () => "done",
      (error: Error) => error.message,
    );
    expect(outcome).toEqual(
      followRedirects
        ? "done"
        : expect.stringMatching(
            `^307 \\(POST auth/jwt/role/ci\\). The server redirects to ${active.origin}; set that as the address. .*load balancer`,
          ),
    );
    expect(active.asked).toEqual(asked);
  });
});
