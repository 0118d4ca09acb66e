import { beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "./frame-harness";
import { type LoginBench, startLoginBench } from "./jwt-login-harness";

let bench: LoginBench;
beforeAll(async () => {
  bench = await startLoginBench();
});

describe("endpoints and authentication: login", () => {
  // @covers jwt: Endpoints > POST auth/{mount}/login
  // @covers jwt: Authentication > callers of a login
  it("POST and PUT log in without a token; GET and DELETE are not there, LIST needs a token", async () => {
    await bench.role();
    const body = { role: "role", jwt: await bench.jwt() };
    const status = async (verb: string, given?: unknown) =>
      (await bench.ask(`${verb} auth/jwt/login`, given, { token: null })).status;
    expect([await status("POST", body), await status("PUT", body)]).toEqual([200, 200]);
    for (const verb of ["GET", "DELETE"]) {
      const answer = await bench.ask(`${verb} auth/jwt/login`, undefined, { token: null });
      expect(errorOf(answer)).toEqual([405, "unsupported operation"]);
    }
    const listed = await bench.ask("GET auth/jwt/login?list=true", undefined, { token: null });
    expect(errorOf(listed)).toEqual([403, "permission denied"]);
  });

  // @covers jwt: What the service does > another mount
  it("is at every mount of the method, each with its own configuration, roles and entities", async () => {
    await bench.role();
    await bench.ask("POST sys/auth/team/ci", { type: "jwt" });
    const body = { role: "role", jwt: await bench.jwt() };
    const logIn = (mount: string) => bench.ask(`POST auth/${mount}/login`, body, { token: null });
    expect(errorOf(await logIn("team/ci"))).toEqual([400, "could not load configuration"]);
    const { data: config } = await bench.ask("GET auth/jwt/config");
    await bench.ask("POST auth/team/ci/config", { jwt_validation_pubkeys: config?.["jwt_validation_pubkeys"] });
    expect(errorOf(await logIn("team/ci"))).toEqual([400, 'role "role" could not be found']);
    const role = { role_type: "jwt", user_claim: "sub", bound_audiences: "trustplane" };
    await bench.ask("POST auth/team/ci/role/role", role);
    const [here, there] = [await logIn("jwt"), await logIn("team/ci")];
    expect(there.auth?.["entity_id"]).not.toBe(here.auth?.["entity_id"]);
    const asUser = { token: String(there.auth?.["client_token"]) };
    const { data } = await bench.ask("GET auth/token/lookup-self", undefined, asUser);
    expect(data).toMatchObject({ display_name: "team-ci-alice", path: "auth/team/ci/login" });
  });

  // @covers jwt: Request of a login > jwt
  it("jwt: must be given", async () => {
    await bench.role();
    for (const body of [{ role: "role" }, { role: "role", jwt: "" }, { role: "role", jwt: null }]) {
      expect(errorOf(await bench.ask("POST auth/jwt/login", body, { token: null }))).toEqual([400, "missing token"]);
    }
  });
});
