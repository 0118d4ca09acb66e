import { expect, it } from "vitest";
import { serve } from "../support/loopback-server.ts";
import { runScenario, type Target } from "./run-scenario.mts";
import { defineScenario, type Scenario } from "./scenario.mts";

type Parts = Partial<Pick<Scenario, "before" | "steps" | "names">>;

function scenario(parts: Parts): Scenario {
  return defineScenario({ topic: "any", service: "secrets", servers: ["vault-1.21"], steps: [], ...parts });
}

interface Seen {
  readonly request: string;
  readonly token: string | undefined;
  readonly body: string;
}

/** A server that answers with these bodies, one after the other, and what it was asked. */
async function target(
  ...answers: readonly [status: number, body: unknown][]
): Promise<{ target: Target; seen: Seen[] }> {
  const seen: Seen[] = [];
  const { origin } = await serve(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const [status, answer] = answers[seen.length] ?? [500, "asked too often"];
    seen.push({
      request: `${request.method} ${request.url}`,
      token: request.headers["x-vault-token"]?.toString(),
      body,
    });
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  const nothing = () => Promise.resolve();
  const servers = { vault: { address: origin, token: "root-token" } };
  const places = { cloud: "http://cloud.example" };
  return { target: { servers, places, addCloudUser: nothing, seal: nothing, stop: nothing, close: nothing }, seen };
}

it("fills gaps in paths and bodies, keeps what later steps need, and asks as whom the step says", async () => {
  const { target: server, seen } = await target([200, { auth: { id: "secret-id" } }], [204, {}], [204, {}]);
  const exchanges = await runScenario(
    scenario({
      names: ["mount"],
      before: [{ request: "POST {mount}/login", as: "nobody", keep: { own: "/auth/id" } }],
      steps: [
        {
          title: "one",
          request: "POST {mount}/x",
          as: "own",
          body: { at: "{cloud}/y", template: "{{ name }}" },
          outcome: "ok",
        },
        { title: "two", request: "GET /plain", as: "stranger", outcome: "unasked" },
      ],
    }),
    "vault-1.21",
    server,
  );
  const mount = seen[0]?.request.replace("POST /v1/", "").replace("/login", "") ?? "";
  expect(mount).toMatch(/^mount-[0-9a-f]{8}$/);
  expect(seen).toEqual([
    { request: `POST /v1/${mount}/login`, token: undefined, body: "" },
    {
      request: `POST /v1/${mount}/x`,
      token: "secret-id",
      body: '{"at":"http://cloud.example/y","template":"{{ name }}"}',
    },
    { request: "GET /plain", token: expect.stringMatching(/^1+-/), body: "" },
  ]);
  expect(exchanges.map(({ request }) => request)).toEqual([
    { method: "POST", path: "/v1/<mount>/x", body: { at: "<cloud>/y", template: "{{ name }}" } },
    { method: "GET", path: "/plain" },
  ]);
});

it("repeats a call until its answer matches, and records only that answer", async () => {
  const { target: server, seen } = await target([200, "waiting"], [200, "done"]);
  const steps = [{ title: "one", request: "GET x", until: /done/, outcome: "ok" as const }];
  const exchanges = await runScenario(scenario({ steps }), "vault-1.21", server);
  expect(seen).toHaveLength(2);
  expect(exchanges.map(({ body }) => body)).toEqual(["done"]);
});

it("stops where the preparation fails", async () => {
  const { target: server } = await target([403, { errors: ["no"] }]);
  const run = runScenario(scenario({ before: [{ request: "POST x" }] }), "vault-1.21", server);
  await expect(run).rejects.toThrow('POST x was answered with 403: {"errors":["no"]}');
});

it("runs only the steps that are meant for the server", async () => {
  const { target: server, seen } = await target([200, {}]);
  const step = { request: "GET x", outcome: "ok" as const };
  const steps = [
    { ...step, title: "here", servers: ["vault-1.21" as const] },
    { ...step, title: "elsewhere", servers: ["vault-1.19" as const] },
  ];
  expect(await runScenario(scenario({ steps }), "vault-1.21", server)).toMatchObject([{ title: "here" }]);
  expect(seen).toHaveLength(1);
});

it("two steps of a scenario have two titles", () => {
  const step = { title: "same", request: "GET x", outcome: "ok" as const };
  expect(() => scenario({ steps: [step, step] })).toThrow('secrets-any has two steps "same"');
});
