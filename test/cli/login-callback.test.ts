// @run test: it waits for clocks
import { type RequestListener, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openCallbackListener } from "../../cli/commands/login/callback-listener.ts";
import { serve } from "../support/loopback-server.ts";
import { startLogin } from "./login-harness.ts";

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly host?: string;
}

/** What the listener answers, as `fetch` cannot ask: with any Host header. */
function send(redirect: URL, { method = "GET", path, host = redirect.host }: Sent) {
  const answered = Promise.withResolvers<{ status: number; headers: object; body: string }>();
  const asked = request({ host: "127.0.0.1", port: redirect.port, method, path, headers: { host } }, async (response) =>
    answered.resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }),
  );
  asked.on("error", answered.reject).end();
  return answered.promise;
}

const place = { listenAddress: "127.0.0.1", port: 0, scheme: "http", host: "localhost" } as const;

async function listening() {
  const listener = await openCallbackListener(place);
  onTestFinished(() => listener.close());
  return { listener, redirect: new URL(listener.redirectUri) };
}

/** Long enough for a request that is refused to have been taken by mistake. */
const isSettled = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise((resolve) => setTimeout(() => resolve(false), 50))]);

describe("what waits for the browser", () => {
  it.each<[string, Sent, number]>([
    ["a wrong state", { path: "/oidc/callback?state=st_other&code=c" }, 400],
    ["no state", { path: "/oidc/callback?code=c" }, 400],
    ["two states", { path: "/oidc/callback?state=st_ours&state=st_ours&code=c" }, 400],
    ["two codes", { path: "/oidc/callback?state=st_ours&code=c&code=d" }, 400],
    ["a POST", { method: "POST", path: "/oidc/callback?state=st_ours&code=c" }, 405],
    ["a HEAD", { method: "HEAD", path: "/oidc/callback?state=st_ours&code=c" }, 405],
    ["another path", { path: "/oidc/callback/x?state=st_ours&code=c" }, 404],
    ["a path that is none", { path: "//" }, 404],
    [
      "another host, as after DNS rebinding",
      { path: "/oidc/callback?state=st_ours&code=c", host: "evil.example" },
      400,
    ],
    ["the address instead of the name", { path: "/oidc/callback?state=st_ours&code=c", host: "127.0.0.1" }, 400],
    ["a query that is huge", { path: `/oidc/callback?state=st_ours&code=${"c".repeat(20_000)}` }, 431],
  ])("refuses %s, and goes on waiting", async (_name, sent, status) => {
    const { listener, redirect } = await listening();
    const came = listener.callback("st_ours");
    expect(await send(redirect, sent)).toMatchObject({ status });
    expect(await isSettled(came)).toBe(false);

    const answered = send(redirect, { path: "/oidc/callback?state=st_ours&code=right" });
    const { query, show } = await came;
    expect(query.get("code")).toBe("right");
    await show("done");
    expect(await answered).toMatchObject({ status: 200 });
  });

  it("takes one answer to a login, and none before it has begun", async () => {
    const { listener, redirect } = await listening();
    const path = "/oidc/callback?state=st_ours&code=c";
    expect(await send(redirect, { path })).toMatchObject({ status: 400 });
    const came = listener.callback("st_ours");
    const first = send(redirect, { path });
    const { show } = await came;
    expect(await send(redirect, { path })).toMatchObject({ status: 400 });
    await show("done");
    expect(await first).toMatchObject({ status: 200 });
    expect(await send(redirect, { path })).toMatchObject({ status: 400 });
  });

  it("shows pages that load nothing, are kept nowhere, and repeat nothing of the request", async () => {
    const { listener, redirect } = await listening();
    const headers = {
      "content-security-policy": expect.stringMatching(/^default-src 'none';/),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    };
    const refused = await send(redirect, { path: "/oidc/callback?state=%3Cb%3Eecho&error_description=echo" });
    const came = listener.callback("st_echo");
    const answered = send(redirect, { path: "/oidc/callback?state=st_echo&code=echo" });
    await (await came).show("failed");
    for (const page of [refused, await answered]) {
      expect(page.headers).toMatchObject(headers);
      expect(page.body).toContain("<!doctype html>");
      expect(page.body).not.toContain("echo");
    }
  });

  it("is not held up by a browser that does not read, and is gone when it is closed", async () => {
    const { listener, redirect } = await listening();
    const came = listener.callback("st_ours");
    const socket = connect(Number(redirect.port), "127.0.0.1");
    socket.on("error", () => {}).pause();
    socket.write(`GET /oidc/callback?state=st_ours&code=c HTTP/1.1\r\nHost: ${redirect.host}\r\n\r\n`);
    await came;
    listener.close();
    await expect(send(redirect, { path: "/" })).rejects.toThrow("ECONNREFUSED");
  });

  it("says which setting to change where it cannot listen", async () => {
    const { redirect } = await listening();
    await expect(openCallbackListener({ ...place, port: Number(redirect.port) })).rejects.toThrow(
      `cannot listen for the browser on 127.0.0.1:${redirect.port}: another program listens there. End it, or give another --port`,
    );
    await expect(openCallbackListener({ ...place, listenAddress: "192.0.2.1" })).rejects.toThrow("--listen-address");
  });

  it("calls itself what the browser is to call it", async () => {
    const asked = { ...place, scheme: "https", host: "laptop.example.com", callbackPort: 443 } as const;
    const listener = await openCallbackListener(asked);
    onTestFinished(() => listener.close());
    expect(listener.redirectUri).toBe("https://laptop.example.com/oidc/callback");
  });
});

const health = "{}";
const began = (url = "https://idp.example.com/authorize?state=st_ours&redirect_uri={redirect}") =>
  JSON.stringify({ data: { auth_url: url } });

describe("a server that is none, or that means harm", () => {
  /** A server with these answers to the two steps, and the login at it. */
  async function startAt(first: string | undefined, second = health, type = "application/json") {
    const listener: RequestListener = async (incoming, response) => {
      const isFirst = incoming.url?.endsWith("/auth_url");
      const { redirect_uri = "" } = isFirst ? JSON.parse(await text(incoming)) : {};
      const body = isFirst ? (first ?? began()).replace("{redirect}", encodeURIComponent(redirect_uri)) : second;
      response.setHeader("content-type", type).end(body);
    };
    const { origin } = await serve(listener);
    return startLogin({ VAULT_ADDR: origin });
  }

  it.each<[string, string, RegExp]>([
    [
      "a page with 200",
      "<!doctype html><title>Sign in</title>",
      /answered 200 with an HTML page, perhaps from a proxy/,
    ],
    ["other JSON", '{"ok":true}', /its `data` is no object/],
    ["a file to open", began("file:///etc/passwd?state=s"), /no address of a login page/],
    ["a program to open", began("javascript:alert(1)//?state=s"), /no address of a login page/],
    ["an address without a state", began("https://idp.example.com/"), /no address of a login page/],
    ["no address at all", '{"data":{"auth_url":["https://idp.example.com/?state=s"]}}', /no address of a login page/],
    ["an empty address", began(""), /the default role of auth\/oidc lacks http:\/\/localhost:\d+\/oidc\/callback/],
  ])("that answers %s is not gone on with", async (_name, first, message) => {
    const login = await startAt(first);
    expect(await login.exitCode).toBe(1);
    expect(login.err()).toMatch(message);
    expect(login.err()).toMatch(/^trustplane: not logged in: [^\n]*\n$/);
  });

  it("prints an address without what a terminal obeys", async () => {
    const login = await startAt(began("https://idp.example.com/\u001b]0;x\u0007\u202e?state=st_ours"));
    expect(await login.url()).toBe("https://idp.example.com/%1B]0;x%07%E2%80%AE?state=st_ours");
  });

  it.each<[string, string, RegExp]>([
    ["a page", "<html>welcome</html>", /answered 200 without a token/],
    ["no token", '{"auth":{"client_token":""}}', /answered 200 without a token/],
    ["a token with a line break", '{"auth":{"client_token":"hvs.a\\r\\nx-evil: 1"}}', /answered 200 without a token/],
    ["a token with an escape", '{"auth":{"client_token":"\\u001b[2J"}}', /answered 200 without a token/],
    [
      "that a second factor is needed",
      '{"auth":{"client_token":"","mfa_requirement":{"mfa_request_id":"x"}}}',
      /asks for a second factor.*vault login -method=oidc/,
    ],
  ])("that answers the exchange with %s gives no token", async (_name, second, message) => {
    const login = await startAt(undefined, second);
    const redirect = await login.redirect();
    await send(redirect, { path: "/oidc/callback?state=st_ours&code=c" });
    expect(await login.exitCode).toBe(1);
    expect(login.err()).toMatch(message);
    expect(login.out()).toBe("");
  });

  it("and a provider are repeated without what a terminal obeys, and without the code", async () => {
    const obeyed = "%1B%5D0%3Bx%07%E2%80%AE";
    const refusing = await startAt(undefined);
    await send(await refusing.redirect(), {
      path: `/oidc/callback?state=st_ours&error=access_denied${obeyed}&error_description=${"no%20".repeat(500)}`,
    });
    expect(await refusing.exitCode).toBe(1);
    expect(refusing.err()).toMatch(/refused the login: access_denied: (no )+…\.\n$/);

    const said = JSON.stringify({ auth: { client_token: "hvs.x\n" }, warnings: ["code-0123456789"] });
    const echoing = await startAt(undefined, said);
    await send(await echoing.redirect(), { path: "/oidc/callback?state=st_ours&code=code-0123456789" });
    await echoing.exitCode;
    expect(echoing.err()).not.toContain("code-0123456789");
  });
});

describe("the wait for the browser", () => {
  const waiting = async (...words: readonly string[]) => {
    const { origin } = await serve(async (incoming, response) => {
      const { redirect_uri } = JSON.parse(await text(incoming));
      response.end(began().replace("{redirect}", encodeURIComponent(redirect_uri)));
    });
    return startLogin({ VAULT_ADDR: origin }, ...words);
  };

  it.each([
    [
      "a signal",
      [],
      (login: ReturnType<typeof startLogin>) => login.interrupt(),
      /not logged in: it was interrupted\./,
    ],
    ["its timeout", ["--timeout", "1s"], () => {}, /nobody has logged in within 1s\. Run it again; --timeout waits/],
  ] as const)("ends with %s, and frees the port", async (_name, words, act, message) => {
    const login = await waiting(...words);
    const redirect = await login.redirect();
    act(login);
    expect(await login.exitCode).toBe(1);
    expect(login.err()).toMatch(message);
    await expect(send(redirect, { path: "/" })).rejects.toThrow("ECONNREFUSED");
  });

  it("is none where the server gave no address in time, which is said", async () => {
    const { origin } = await serve(() => {});
    const login = startLogin({ VAULT_ADDR: origin }, "--timeout", "1s");
    expect(await login.exitCode).toBe(1);
    expect(login.err()).toMatch(/the server gave no address to log in at within 1s\. `trustplane doctor` says why\./);
  });

  it.each([":", "1:2:::", "999.1.1.1"])(
    "does not begin for the callback host %s, which no address has",
    async (host) => {
      expect(await startLogin({}, "--callback-host", host).exitCode).toBe(1);
    },
  );

  it("ends while the server does not answer, too", async () => {
    const { origin, connections } = await serve(() => {});
    const login = startLogin({ VAULT_ADDR: origin });
    await vi.waitFor(() => expect(connections()).toBe(1));
    login.interrupt();
    expect(await login.exitCode).toBe(1);
    expect(login.err()).toBe("trustplane: not logged in: it was interrupted.\n");
  });
});
