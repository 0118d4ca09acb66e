// @run test: it waits for clocks

import { afterEach, expect, it, vi } from "vitest";
import { untilValid } from "../../../provider/engine/validity.ts";
import { serve } from "../../support/loopback-server.ts";

afterEach(() => void vi.restoreAllMocks());

const title = 'cloud.getCredentials "deploy"';
const keys = { accessKey: "AKIAEXAMPLE", secretKey: "the secret key" };

type Answer = "ok" | "InvalidClientTokenId" | "Throttling" | "AccessDenied" | "nonsense";

/** A token service that answers these, one after the other; the last one stays. */
async function openTokenService(answers: readonly Answer[]) {
  const requests: { readonly headers: NodeJS.Dict<string | string[]>; readonly body: string }[] = [];
  const { origin } = await serve(async (incoming, outgoing) => {
    let body = "";
    for await (const chunk of incoming) body += chunk;
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push({ headers: incoming.headers, body });
    if (answer === "nonsense") return void outgoing.writeHead(200).end("<html></html>");
    if (answer === "ok") return void outgoing.end("<GetCallerIdentityResult></GetCallerIdentityResult>");
    outgoing.writeHead(answer === "Throttling" ? 400 : 403);
    outgoing.end(`<ErrorResponse><Error><Code>${answer}</Code></Error></ErrorResponse>`);
  });
  const log: string[] = [];
  const settings = { retries: 0, timeoutMs: 5000 };
  const wait = (more: { readonly signal?: AbortSignal; readonly sessionToken?: string } = {}) => {
    const { signal, ...temporary } = more;
    const caller = { endpoint: `${origin}/`, region: "eu-central-1", ...keys, ...temporary };
    return untilValid(caller, { title, settings, log: (_, text) => log.push(text), signal });
  };
  return { origin, wait, log, requests };
}

/** Lets this many seconds pass between two looks at the clock. */
function hurry(seconds: number): void {
  let now = Date.now();
  vi.spyOn(Date, "now").mockImplementation(() => {
    now += seconds * 1000;
    return now;
  });
}

// @covers cloud: Errors > calls after a rotation
it("asks with the keys until they are accepted five times in a row", async () => {
  const { wait, requests } = await openTokenService([
    "InvalidClientTokenId",
    "Throttling",
    "ok",
    "InvalidClientTokenId",
    "ok",
  ]);
  await wait({ sessionToken: "the session token" });
  expect(requests).toHaveLength(9);
  for (const { headers, body } of requests) {
    expect(body).toBe("Action=GetCallerIdentity&Version=2011-06-15");
    expect(headers["authorization"]).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-central-1\/sts\/aws4_request/,
    );
    expect(headers["x-amz-security-token"]).toBe("the session token");
  }
});

it("gives up after two minutes, saying what the cloud said and what to check, and nothing secret", async () => {
  hurry(30);
  const { wait, log } = await openTokenService(["InvalidClientTokenId"]);
  const error = await wait().catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: "ApiError",
    message: expect.stringMatching(
      /^it is still refused \(InvalidClientTokenId\), not valid, after 120 s\. Check `stsEndpoint` and `stsRegion`/,
    ),
  });
  expect(log[0]).toBe(
    `the access key of ${title} is refused (InvalidClientTokenId) after 30 s; waiting until it is valid`,
  );
  expect(`${String(error)}${log.join()}`).not.toContain(keys.secretKey);
});

it.each([
  ["AccessDenied", /answered 403 AccessDenied to GetCallerIdentity\. Check `stsEndpoint`/],
  ["nonsense", /answered 200 no reason to GetCallerIdentity\./],
] as const)("does not wait for what will not change: %s", async (answer, message) => {
  const { wait, requests } = await openTokenService([answer]);
  await expect(wait()).rejects.toThrow(message);
  expect(requests).toHaveLength(1);
});

it("ends when the run is cancelled", async () => {
  const { wait, requests } = await openTokenService(["InvalidClientTokenId"]);
  const controller = new AbortController();
  const waiting = wait({ signal: controller.signal });
  const cancelling = vi.waitUntil(() => requests.length > 1).then(() => controller.abort());
  await expect(waiting).rejects.toThrow(/cancelled/);
  await cancelling;
});
