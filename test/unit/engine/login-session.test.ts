// @run test: it waits for clocks

import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { UnsecuredJWT } from "jose";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { vault } from "../../../provider/dialects/vault";
import { createSender } from "../../../provider/engine/send-request";
import { openSession } from "../../../provider/engine/session";
import { settingsOf } from "../../../provider/engine/settings";
import { serve } from "../../support/loopback-server";

const jwt = new UnsecuredJWT({ iss: "https://ci.example.com" }).setExpirationTime("5m").encode();

/** Answers a request to this path: the nth that comes to it. */
type Script = (path: string, response: ServerResponse, nth: number) => void;

/** A session at a server that answers as the script says, and the paths that were asked. */
async function open(script: Script, login: object = { method: "jwt", jwtEnv: "MINE" }) {
  const asked: string[] = [];
  const { origin } = await serve(({ url = "" }, response) => {
    const path = url.slice(url.lastIndexOf("/") + 1);
    asked.push(path);
    script(path, response, asked.filter((each) => each === path).length);
  });
  const env = { MINE: jwt };
  const entry = JSON.stringify({ address: origin, maxRetries: 0, offline: true, login });
  const settings = settingsOf("secrets", undefined, (key) => (key === "secrets" ? entry : undefined), env);
  const lines: string[] = [];
  const send = createSender(settings, vault, { log: () => {} });
  const session = openSession(settings, vault, { env, log: (_, message) => void lines.push(message), send });
  return { session, asked, lines };
}

const issued = (token: string, auth: object = {}) =>
  JSON.stringify({ auth: { client_token: token, lease_duration: 3600, renewable: false, ...auth } });

function refuse(response: ServerResponse, status: number): void {
  response.statusCode = status;
  response.end('{"errors":["not now"]}');
}

/** The connection itself waits for a minute, which no test does. */
describe("the end of a run", () => {
  it("does not wait for a server that hangs at the login", async () => {
    const { session, asked } = await open(() => {});
    const failure = session.token().catch((error: Error) => error.message);
    while (asked.length === 0) await sleep(10);
    await session.end();
    expect(await failure).toMatch(/the login of connection "secrets" by jwt: .* the operation was cancelled/);
  });

  it("does not wait for a server that hangs when a token is revoked", async () => {
    const { session, lines } = await open((path, response) => void (path === "login" && response.end(issued("hvs.a"))));
    await session.token();
    await session.end();
    expect(lines).toEqual([expect.stringContaining("could not be revoked (status none)")]);
  });

  it("revokes what a renewal issues that is under way", async () => {
    const { session, asked } = await open((path, response, nth) => {
      const answer = path === "login" ? issued(`hvs.${nth}`, { lease_duration: 0.1 }) : "{}";
      setTimeout(() => response.end(answer), asked.length === 2 ? 100 : 0);
    });
    await session.token();
    await sleep(100);
    const renewing = session.token();
    while (asked.length < 2) await sleep(5);
    await Promise.all([session.end(), renewing]);
    expect(asked).toEqual(["login", "login", "revoke-self", "revoke-self"]);
  });

  it("lets nobody log in before it is over", async () => {
    const { session, asked } = await open((path, response) => response.end(path === "login" ? issued("hvs.a") : "{}"));
    await session.token();
    const ending = session.end();
    const next = session.token();
    await ending;
    expect(asked).toEqual(["login", "revoke-self"]);
    await next;
    expect(asked).toEqual(["login", "revoke-self", "login"]);
  });
});

describe("a token of which two thirds are over", () => {
  it("is used on while it cannot be replaced, until it ends", async () => {
    // Only the clock: what is sent and waited for is real.
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const { session, asked } = await open((path, response, nth) =>
      path === "login" && nth === 1
        ? response.end(issued("hvs.old", { lease_duration: 60, renewable: true }))
        : refuse(response, 503),
    );
    await session.token();
    vi.setSystemTime(Date.now() + 45_000);
    const many = await Promise.all([session.token(), session.token(), session.token()]);
    expect(many.map((found) => found?.token)).toEqual(["hvs.old", "hvs.old", "hvs.old"]);
    expect(asked).toEqual(["login", "renew-self", "login"]);
    vi.setSystemTime(Date.now() + 16_000);
    await expect(session.token()).rejects.toThrow(/by jwt: 503 not now/);
  });

  it("is not replaced for each request where the server says that it ended before it began", async () => {
    const { session, asked } = await open((_, response) => response.end(issued("hvs.a", { lease_duration: -5 })));
    for (let at = 0; at < 3; at++) await session.token();
    expect(asked).toEqual(["login"]);
  });
});

describe("a login that is refused", () => {
  it.each([
    [400, /400 not now \(POST auth\/jwt\/login\)\. The JWT of MINE says issuer/],
    [503, /503 not now \(POST auth\/jwt\/login\)\.$/],
    [302, /302 not now \(POST auth\/jwt\/login\)\. The server redirects to another path; set that as the address\.$/],
  ])("with %i says what to look at", async (status, message) => {
    const { session } = await open((_, response) => refuse(response, status));
    await expect(session.token()).rejects.toThrow(message);
  });
});

it("a secret ID that could not be unwrapped is unwrapped in the next run of the process", async () => {
  const wrapped = { method: "approle", roleId: "r", secretIdEnv: "MINE", secretIdWrapped: true };
  const { session, asked } = await open((path, response, nth) => {
    if (path === "unwrap" && nth === 1) refuse(response, 503);
    else response.end(path === "unwrap" ? '{"data":{"secret_id":"s"}}' : issued("hvs.a"));
  }, wrapped);
  await expect(session.token()).rejects.toThrow(/by approle: 503/);
  await session.end();
  expect((await session.token())?.token).toBe("hvs.a");
  expect(asked).toEqual(["unwrap", "unwrap", "login"]);
});
