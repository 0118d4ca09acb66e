import { describe, expect, it } from "vitest";
import { errorOf, serving, wrapped } from "./frame-harness";

const { ask } = serving();

const base = { role_type: "jwt", user_claim: "sub", bound_subject: "x" };

describe("warnings", () => {
  const logging =
    "verbose_oidc_logging has been enabled for this role. This is not recommended in production since sensitive information may be present in OIDC responses.";
  const maximum =
    "token max ttl is greater than the system or backend mount's maximum TTL value; issued tokens' max TTL value will be truncated";

  // @covers jwt: Role > verbose_oidc_logging
  it("come for a maximum above the mount's, and for logging on every write while it is on", async () => {
    const first = { ...base, token_max_ttl: "900h", verbose_oidc_logging: true };
    expect((await ask("POST auth/jwt/role/w", first)).warnings).toEqual([maximum, logging]);
    const { status, data, warnings } = await ask("POST auth/jwt/role/w", { ...base, token_max_ttl: "1h" });
    expect([status, data, warnings]).toEqual([200, null, [logging]]);
  });

  it("follow the tuning of the mount", async () => {
    await ask("POST sys/auth/tuned", { type: "jwt", config: { max_lease_ttl: "1h" } });
    expect((await ask("POST auth/tuned/role/a", { ...base, token_max_ttl: "2h" })).warnings).toEqual([maximum]);
    expect(errorOf(await ask("POST auth/tuned/role/a", { ...base, token_period: "2h" }))[0]).toBe(400);
  });
});

describe("names and listing", () => {
  // @covers jwt: Role > name
  it("names are kept in lower case and found in any", async () => {
    expect((await ask("POST auth/jwt/role/MyRole", base)).status).toBe(204);
    for (const name of ["myrole", "MYROLE"]) expect((await ask(`GET auth/jwt/role/${name}`)).status).toBe(200);
    expect((await ask("GET auth/jwt/role?list=true")).data?.["keys"]).toContain("myrole");
    expect((await ask("DELETE auth/jwt/role/MyROLE")).status).toBe(204);
    expect(errorOf(await ask("GET auth/jwt/role/myrole"))).toEqual([404, ""]);
  });

  it.each(["a-", ".a", "a@b", "-a"])("%s is no name", async (name) => {
    expect(errorOf(await ask(`POST auth/jwt/role/${name}`, base))).toEqual([404, wrapped("unsupported path")]);
  });

  it.each(["a.b", "_a", "a-b", "0"])("%s is one", async (name) => {
    expect((await ask(`POST auth/jwt/role/${name}`, base)).status).toBe(204);
  });

  it("deleting nothing is success, and an empty list is 404", async () => {
    await ask("POST sys/auth/empty", { type: "jwt" });
    expect((await ask("DELETE auth/empty/role/none")).status).toBe(204);
    expect(errorOf(await ask("GET auth/empty/role?list=true"))).toEqual([404, ""]);
  });

  // @covers beyond: Lists of names > keys
  it("the list is sorted by bytes", async () => {
    await ask("POST sys/auth/sorted", { type: "jwt" });
    for (const name of ["b", "a", "_z", "a.b", "a1"]) await ask(`POST auth/sorted/role/${name}`, base);
    expect((await ask("GET auth/sorted/role?list=true")).data).toEqual({ keys: ["_z", "a", "a.b", "a1", "b"] });
  });
});
