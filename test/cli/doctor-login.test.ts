import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { inspect } from "../../cli/commands/doctor/inspect.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { openWorld } from "../support/contract-world.ts";
import { jobToken, loggingIn, openLogins, setVariable } from "../support/jwt-logins.ts";
import { serve } from "../support/loopback-server.ts";
import { health } from "./doctor-harness.ts";

closeServersAfterwards();

/** What is found out about a connection that logs in with a job's token. */
async function inspected(claims: Readonly<Record<string, unknown>> = {}) {
  const world = await openWorld();
  const mount = await openLogins(world, {});
  const jwtEnv = setVariable(`JOB_${mount}`, await jobToken(claims));
  const config = loggingIn(world, { method: "jwt", mount, role: "ci", jwtEnv });
  const target = {
    label: "secrets",
    service: "secrets",
    name: undefined,
    config: (key: string) => config[key],
    addressFrom: "address in trustplane:secrets",
    resources: [],
  } as const;
  const { checks } = await inspect(target, process.env);
  const revoked = world.traffic.seen().filter(({ url }) => url.endsWith("/auth/token/revoke-self"));
  return { token: checks.find(({ check }) => check === "token"), revoked: revoked.length };
}

it("logs in where the connection does, says what the token may do, and revokes it", async () => {
  const { token, revoked } = await inspected();
  expect(token).toMatchObject({
    finding: expect.stringMatching(/from the login of connection "secrets" by jwt; policies/),
  });
  expect(token?.status).not.toBe("failed");
  expect(revoked).toBe(1);
});

it("says why a login fails", async () => {
  const { token, revoked } = await inspected({ aud: "https://somebody.else.example" });
  expect(token).toMatchObject({
    status: "failed",
    finding: expect.stringMatching(/the login of connection "secrets" by jwt/),
  });
  expect(revoked).toBe(0);
});

it("revokes the token also where a signal ends the examination", async () => {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  onTestFinished(() => kill.mockRestore());
  const asked: string[] = [];
  const answers: Record<string, object> = { "health?standbyok=true&perfstandbyok=true": health };
  const { origin } = await serve(({ url = "" }, response) => {
    const end = url.slice(url.lastIndexOf("/") + 1);
    asked.push(end);
    const auth = { client_token: "hvs.a", lease_duration: 60 };
    if (end !== "lookup-self") response.end(JSON.stringify(end === "login" ? { auth } : (answers[end] ?? {})));
  });
  const login = { method: "jwt", jwtEnv: setVariable("JOB_SIGNAL", await jobToken()) };
  const config = (key: string) => (key === "secrets" ? JSON.stringify({ address: origin, login }) : undefined);
  const names = { label: "secrets", service: "secrets", name: undefined, addressFrom: undefined } as const;
  void inspect({ ...names, config, resources: [] }, process.env);
  while (!asked.includes("lookup-self")) await sleep(10);
  process.emit("SIGTERM", "SIGTERM");
  await vi.waitFor(() => expect(kill).toHaveBeenCalledWith(process.pid, "SIGTERM"));
  expect(asked.at(-1)).toBe("revoke-self");
});
