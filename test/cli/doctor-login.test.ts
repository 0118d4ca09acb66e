import { expect, it } from "vitest";
import { examine } from "../../cli/doctor/examine.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { openWorld } from "../support/contract-world.ts";
import { jobToken, loggingIn, openLogins, setVariable } from "../support/jwt-logins.ts";

closeServersAfterwards();

/** What is found out about a connection that logs in with a job's token. */
async function examined(claims: Readonly<Record<string, unknown>> = {}) {
  const world = await openWorld();
  const mount = await openLogins(world, {});
  const jwtEnv = setVariable(`JOB_${mount}`, await jobToken(claims));
  const config = loggingIn(world, { method: "jwt", mount, role: "ci", jwtEnv });
  const patient = {
    label: "secrets",
    service: "secrets",
    name: undefined,
    config: (key: string) => config[key],
    addressFrom: "address in trustplane:secrets",
    resources: [],
  } as const;
  const { checks } = await examine(patient, process.env);
  const revoked = world.traffic.seen().filter(({ url }) => url.endsWith("/auth/token/revoke-self"));
  return { token: checks.find(({ check }) => check === "token"), revoked: revoked.length };
}

it("logs in where the connection does, says what the token may do, and revokes it", async () => {
  const { token, revoked } = await examined();
  expect(token).toMatchObject({
    finding: expect.stringMatching(/from the login of connection "secrets" by jwt; policies/),
  });
  expect(token?.status).not.toBe("failed");
  expect(revoked).toBe(1);
});

it("says why a login fails", async () => {
  const { token, revoked } = await examined({ aud: "https://somebody.else.example" });
  expect(token).toMatchObject({
    status: "failed",
    finding: expect.stringMatching(/the login of connection "secrets" by jwt/),
  });
  expect(revoked).toBe(0);
});
