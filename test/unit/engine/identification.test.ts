import type { RequestListener } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { always, standIn } from "../../support/connection-stand-in.ts";

afterEach(() => void vi.restoreAllMocks());

const health = { initialized: true, sealed: false, version: "1.21.4", cluster_id: "c-1", enterprise: false };
const sealStatus = { sealed: false, version: "1.21.4", cluster_id: "c-1", build_date: "2026-01-01T00:00:00Z" };
const [HEALTH, SEAL] = ["GET /v1/sys/health?standbyok=true&perfstandbyok=true", "GET /v1/sys/seal-status"];
const identity = "vault:c-1";

/** Answers the two questions, and whatever else with 599. */
function vaultWith(answers: { health: RequestListener; seal?: RequestListener }): RequestListener {
  return (incoming, outgoing) => {
    const isHealth = incoming.url?.startsWith("/v1/sys/health") ?? false;
    const isSeal = incoming.url === "/v1/sys/seal-status";
    const listener = isHealth ? answers.health : isSeal ? answers.seal : undefined;
    (listener ?? always(599, ""))(incoming, outgoing);
  };
}

/** Lets time pass by this many seconds, once. */
function later(seconds: number): void {
  const now = Date.now() + seconds * 1000;
  vi.spyOn(Date, "now").mockImplementation(() => now);
}

it("a server that says which one it is is asked once", async () => {
  const { connection, asked, log } = await standIn("vault", vaultWith({ health: always(200, health) }));
  await Promise.all([connection.server(), connection.server()]);
  later(3600);
  expect(await connection.server()).toMatchObject({ identity });
  expect([asked, log]).toEqual([[HEALTH], []]);
});

const unusable: readonly (readonly [string, RequestListener, string])[] = [
  [
    "a refusal",
    always(403, { errors: ["permission denied"] }),
    "403 permission denied (GET sys/health, GET sys/seal-status)",
  ],
  ["an unknown path", always(404, { errors: [] }), "404 (GET sys/health, GET sys/seal-status)"],
  ["a page", always(200, "<html>", { "content-type": "text/html" }), "200 an HTML page, perhaps from a proxy"],
  ["nothing", always(204, ""), "204 (GET sys/health, GET sys/seal-status)"],
  ["wrong types", always(200, { version: 5, cluster_id: {} }), "200 (GET sys/health, GET sys/seal-status)"],
  [
    "a sealed server",
    always(503, { sealed: true, version: "1.21.4" }),
    "it is sealed (GET sys/health, GET sys/seal-status)",
  ],
];

describe.each(unusable)("where the health is answered with %s", (_, answer, said) => {
  // @covers beyond: Endpoints > GET sys/seal-status
  it("the status of the seal tells which one it is", async () => {
    const listener = vaultWith({ health: answer, seal: always(200, sealStatus) });
    const { connection, asked, log } = await standIn("vault", listener);
    expect(await connection.server()).toEqual({ product: "vault", version: "1.21.4", enterprise: false, identity });
    expect([asked, log]).toEqual([[HEALTH, SEAL], []]);
  });

  it("and nothing else tells, it is asked again after a while, and the user is told once", async () => {
    let isWell = false;
    const usable: RequestListener = (...args) => (isWell ? always(200, health) : answer)(...args);
    const { connection, asked, log } = await standIn("vault", vaultWith({ health: usable, seal: answer }));
    expect(await Promise.all([connection.server(), connection.server()])).toEqual([undefined, undefined]);
    expect(await connection.server()).toBeUndefined();
    expect(asked).toEqual([HEALTH, SEAL]);
    later(6);
    expect(await connection.server()).toBeUndefined();
    expect(asked).toHaveLength(4);
    expect(log).toHaveLength(1);
    expect(log[0]).toMatch(/^warning: the secrets server was not checked: /);
    expect(log[0]).toContain(said);
    isWell = true;
    later(12);
    expect(await connection.server()).toMatchObject({ identity });
  });
});

it("another product at the address is said to be none, and no setting that silences it is named", async () => {
  const consul = vaultWith({ health: always(404, "Invalid URL path"), seal: always(404, "Invalid URL path") });
  const { connection, log } = await standIn("vault", consul);
  await connection.server();
  expect(log).toEqual([
    expect.stringMatching(
      /\. This is not the API of Vault or OpenBao, or something before it keeps these paths: check the address\.$/,
    ),
  ]);
});

it("a server that does not answer at all is asked for nothing else, and again after a while", async () => {
  const { connection, asked, log } = await standIn("vault", (incoming) => incoming.socket.destroy());
  expect(await connection.server()).toBeUndefined();
  later(6);
  expect(await connection.server()).toBeUndefined();
  expect(asked).toEqual([HEALTH, HEALTH]);
  expect(log).toEqual([expect.stringContaining("no answer from http://127.0.0.1")]);
});

it("Consul is asked for its trust domain until it says it", async () => {
  let isWell = false;
  const { connection, asked } = await standIn("consul", (...args) =>
    always(isWell ? 200 : 500, isWell ? { TrustDomain: "d.consul" } : "no leader")(...args),
  );
  expect(await connection.server()).toBeUndefined();
  isWell = true;
  later(6);
  expect(await connection.server()).toMatchObject({ identity: "consul:d.consul" });
  expect(asked).toHaveLength(2);
});

it("offline, nothing is asked, and the user is told once that nothing verifies the server", async () => {
  const { connection, asked, log, origin } = await standIn("vault", always(200, health), { offline: true });
  expect([await connection.server(), await connection.server()]).toEqual([undefined, undefined]);
  expect(asked).toEqual([]);
  expect(log).toEqual([
    `warning: nothing verifies which server is at ${origin}: \`offline: true\` in trustplane:secrets keeps it from being asked`,
  ]);
});

it("who gives up does not end the question for the others", async () => {
  const released = Promise.withResolvers<void>();
  const cancelled = new AbortController();
  const { connection } = await standIn("vault", async (incoming, outgoing) => {
    cancelled.abort();
    await released.promise;
    always(200, health)(incoming, outgoing);
  });
  const first = connection.server(cancelled.signal);
  const second = connection.server();
  await expect(first).rejects.toMatchObject({ code: "NetworkError", message: expect.stringMatching(/was cancelled$/) });
  released.resolve();
  expect(await second).toMatchObject({ identity });
});
