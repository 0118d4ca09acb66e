// @run whole: it compares two releases

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type LiveVault, startLiveVault } from "../../tools/live/live-servers.mts";
import { type HostName, hostNames } from "../support/contract-host.ts";
import { rawApi } from "../support/contract-raw.ts";
import { InputsRefused } from "../support/contract-stack.ts";
import { openWitnessedStack } from "../support/witness-proxy.ts";

/** Vault 1.19 and 1.21 have the same fields (availability.test.ts), so one is given to the newer release alone here. */
vi.mock("../../provider/resources/index.ts", async (original) => {
  const { definitions } = await original<typeof import("../../provider/resources/index.ts")>();
  const { jwtRole } = definitions;
  const availability = { vault: "1.20.0" };
  const fields = { ...jwtRole.fields, groupsClaim: { ...jwtRole.fields.groupsClaim, availability } };
  return { definitions: { ...definitions, jwtRole: { ...jwtRole, fields } } };
});

const program = { name: "ci", roleType: "jwt", userClaim: "sub", boundAudiences: ["a"], groupsClaim: "groups" };

const stackOn = (at: LiveVault, host: HostName) =>
  openWitnessedStack({ host, resource: "jwtRole", service: "secrets", at });

describe.each(hostNames)("a field that came after the older release, through the %s host", (host) => {
  let older: LiveVault;
  let newer: LiveVault;
  beforeAll(async () => {
    [older, newer] = await Promise.all([startLiveVault("1.19"), startLiveVault("1.21")]);
    for (const vault of [older, newer]) await rawApi("secrets", vault).call("POST sys/auth/jwt", { type: "jwt" });
  });
  afterAll(() => Promise.all([older.close(), newer.close()]));

  // @covers beyond: cloud.RootConfig > sts_region
  it("is refused by the older one before anything is sent, naming the release that has it", async () => {
    const { stack, requests } = await stackOn(older, host);
    for (const run of [stack.preview, stack.up]) {
      const refusal = await run(program).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(InputsRefused);
      expect((refusal as InputsRefused).failures).toEqual([
        {
          property: "groupsClaim",
          reason: "needs Vault 1.20.0 or newer; the server is Vault (community edition) 1.19.0",
        },
      ]);
    }
    expect(requests.filter(({ line }) => !line.includes("/sys/health"))).toEqual([]);
  });

  it("is written by the same program to the newer one, and reads back the same", async () => {
    const { stack } = await stackOn(newer, host);
    expect(await stack.up(program)).toBe("create");
    expect(await rawApi("secrets", newer).call("GET auth/jwt/role/ci")).toHaveProperty("data.groups_claim", "groups");
    expect(await stack.refresh()).toBe(true);
    expect(stack.entry()?.inputs["groupsClaim"]).toBe("groups");
    expect(await stack.preview(program)).toEqual({ step: "same", replaces: [] });
  });

  it("is left out of what is written to the older one, where nobody asks for it", async () => {
    const { stack } = await stackOn(older, host);
    const { groupsClaim: _, ...without } = program;
    const before = { role_type: "jwt", user_claim: "sub", bound_audiences: "a", groups_claim: "teams" };
    await rawApi("secrets", older).call("POST auth/jwt/role/ci", before);
    expect(await stack.up({ ...without, takeOver: "always" })).toBe("create");
    expect(await rawApi("secrets", older).call("GET auth/jwt/role/ci")).toHaveProperty("data.groups_claim", "teams");
  });
});
