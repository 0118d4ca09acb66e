import { expect, it } from "vitest";
import type { Values } from "../../../provider/core/definition.ts";
import { createEngine } from "../../../provider/engine/engine.ts";
import { sysAuthMount } from "../../../provider/resources/sys/auth-mount.ts";
import { serve } from "../../support/loopback-server.ts";

interface Server {
  readonly version?: string;
  /** What it says of the move, one answer after the other; the last one again and again. */
  readonly migration?: readonly unknown[];
}

const [OLDS, NEWS] = [
  { path: "jobs", type: "jwt", accessor: "a" },
  { path: "team/jobs", type: "jwt" },
];

/** A server of a release, with an auth method at `jobs` until its move has succeeded. */
async function serverOf({ version = "1.21.1", migration = [{ status: "success" }] }: Server) {
  const asked: string[] = [];
  const said: string[] = [];
  const left = [...migration];
  let path = OLDS?.path;
  const answers: Record<string, () => unknown> = {
    "GET /v1/sys/auth": () => ({
      data: { "token/": { type: "token" }, [`${path}/`]: { type: "jwt", accessor: "a", config: {} } },
    }),
    "POST /v1/sys/remount": () => ({ data: { migration_id: "m-1" } }),
    "GET /v1/sys/remount/status/m-1": () => {
      const info = left.length > 1 ? left.shift() : left[0];
      if ((info as Values | undefined)?.["status"] === "success") path = NEWS?.path;
      return { data: { migration_id: "m-1", migration_info: info } };
    },
    "POST /v1/sys/auth/team/jobs/tune": () => ({ data: {} }),
  };
  const { origin } = await serve((request, response) => {
    if (request.url?.startsWith("/v1/sys/health")) {
      return void response.end(JSON.stringify({ version, cluster_id: "c", enterprise: false }));
    }
    asked.push(`${request.method} ${request.url}`);
    const answer = answers[`${request.method} ${request.url}`]?.();
    if (answer === undefined) response.statusCode = 500;
    response.end(JSON.stringify(answer ?? {}));
  });
  const engine = createEngine({
    config: (key) => (key === "takeOver" ? undefined : JSON.stringify({ address: origin, token: "t", maxRetries: 0 })),
    env: {},
    log: (level, message) => said.push(`${level}: ${message}`),
  });
  return { engine, asked, said };
}

it.each([
  ["1.9.10", ["path"]],
  ["1.10.0", []],
])("on Vault %s a change of the path replaces %j", async (version, replaces) => {
  const { engine, said } = await serverOf({ version });
  expect(await engine.diff(sysAuthMount, OLDS, NEWS)).toEqual({ changed: ["path"], replaces });
  expect(said.some((line) => line.includes("moves it"))).toBe(replaces.length === 0);
});

it("a move is awaited before anything else is asked", async () => {
  const { engine, asked } = await serverOf({
    migration: [{ status: "in-progress" }, undefined, { status: "success" }],
  });
  await engine.update(sysAuthMount, "sys/auth/jobs", OLDS, NEWS);
  const status = "GET /v1/sys/remount/status/m-1";
  const [list, tune] = ["GET /v1/sys/auth", "POST /v1/sys/auth/team/jobs/tune"];
  expect(asked).toEqual([list, "POST /v1/sys/remount", status, status, status, list, tune, list]);
});

it("a move that the server gives up is an error, and nothing else is written", async () => {
  const { engine, asked } = await serverOf({ migration: [{ status: "in-progress" }, { status: "failure" }] });
  await expect(engine.update(sysAuthMount, "sys/auth/jobs", OLDS, NEWS)).rejects.toThrow(
    /^updating sys\.AuthMount "team\/jobs": the server could not move it, and its log says why \(GET sys\/remount\/status\/m-1\)/,
  );
  expect(asked.filter((line) => line.startsWith("POST"))).toEqual(["POST /v1/sys/remount"]);
});

it("a move that is cancelled says that the server goes on", async () => {
  const { engine, asked } = await serverOf({ migration: [{ status: "in-progress" }] });
  const cancel = new AbortController();
  const moving = engine.update(sysAuthMount, "sys/auth/jobs", OLDS, NEWS, { signal: cancel.signal });
  await expect.poll(() => asked.at(-1)).toMatch(/status/);
  cancel.abort();
  await expect(moving).rejects.toThrow(/was cancelled; it is being moved\. The server goes on; the next run looks/);
});
