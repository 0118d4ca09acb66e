import { describe, expect, it, onTestFinished } from "vitest";
import { createAwsBackend } from "../../server/aws/aws-backend";
import { createCloudIdentity } from "../../server/cloud/cloud-identity";
import { type Lacking, placeOf } from "../../server/framework/lacking";
import { createStorage } from "../../server/framework/storage";
import { createJwtBackend } from "../../server/jwt/jwt-backend";
import { type ProfileName, profiles } from "../../server/profiles/profiles";
import { startServers } from "../../server/serve";

const names = Object.keys(profiles) as ProfileName[];

async function started(profile: ProfileName) {
  const server = await startServers({ profile, peeringDeleteDelayMs: 0 });
  onTestFinished(() => server.close());
  const ask = async (service: "secrets" | "cluster", line: string, body?: unknown) => {
    const [method = "", path = ""] = line.split(" ");
    const { address, token } = server[service];
    const header = service === "secrets" ? "x-vault-token" : "x-consul-token";
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${address}/v1/${path}`, { method, headers: { [header]: token }, ...sent });
    const text = await answer.text();
    const json = answer.headers.get("content-type") === "application/json" && text !== "" ? JSON.parse(text) : text;
    return { status: answer.status, headers: answer.headers, body: json };
  };
  return { server, ask };
}

describe.each(names)("profile %s", (name) => {
  const { secrets } = profiles[name];
  const options = { storage: createStorage(), now: () => new Date() };
  const backends = {
    jwt: createJwtBackend({ ...options, profile: secrets.jwt }),
    aws: createAwsBackend({ ...options, profile: secrets.aws, identity: createCloudIdentity() }),
  };

  it.each(["jwt", "aws"] as const)("takes away from the %s back end only what it has", (engine) => {
    const { paths = [], members = {}, fields = {} }: Lacking = secrets.lacks[engine];
    const places = backends[engine].paths.map(placeOf);
    expect(places).toEqual(expect.arrayContaining([...paths, ...Object.keys(members), ...Object.keys(fields)]));
    for (const [place, lacking] of Object.entries(fields)) {
      const path = backends[engine].paths.find((each) => placeOf(each) === place);
      expect(Object.keys(path?.fields ?? {})).toEqual(expect.arrayContaining([...lacking]));
    }
  });

  it("says its version and edition", async () => {
    const { ask } = await started(name);
    const { body } = await ask("secrets", "GET sys/health");
    expect(body.version).toBe(secrets.version);
    expect(body.enterprise).toBe(name === "openbao" ? undefined : secrets.isEnterprise);
    const { body: agent } = await ask("cluster", "GET agent/self");
    expect(agent.Config.Version).toBe(profiles[name].cluster.version);
  });
});

it("ties a token to the address of its login where the role says so", async () => {
  const { ask } = await started("openbao");
  const both = { role_type: "jwt", user_claim: "sub", bound_subject: "x", token_strictly_bind_ip: true };
  expect((await ask("secrets", "POST auth/jwt/role/ci", both)).status).toBe(204);
  const refused = await ask("secrets", "POST auth/jwt/role/ci", { ...both, token_bound_cidrs: ["10.0.0.0/8"] });
  expect(refused.body.errors[0]).toMatch(/conflicts with 'token_bound_cidrs'/);
});

describe("Enterprise", () => {
  // @covers cloud: Root configuration > role_arn
  it("takes the identity of a workload, rotation by schedule and static roles of other accounts", async () => {
    const { server, ask } = await started("enterprise");
    const role = "arn:aws:iam::123456789012:role/root";
    const root = {
      role_arn: role,
      identity_token_audience: "vault",
      identity_token_ttl: "1h",
      rotation_schedule: "0 0 * * *",
    };
    expect((await ask("secrets", "POST cloud/config/root", root)).status).toBe(204);
    expect((await ask("secrets", "GET cloud/config/root")).body.data).toMatchObject({
      ...root,
      identity_token_ttl: 3600,
    });
    const without = await ask("secrets", "POST cloud/config/root", { role_arn: "" });
    expect(without.body.errors).toEqual(["missing required 'role_arn' when 'identity_token_audience' is set"]);
    server.cloud.addUser("app");
    const user = server.cloud.addUser("root", { accessKeys: 1 }).accessKeys[0];
    const keys = { access_key: user?.accessKeyId, secret_key: user?.secretKey, identity_token_audience: "" };
    await ask("secrets", "POST cloud/config/root", keys);
    const wanted = { username: "app", rotation_period: "1h", assume_role_arn: role, external_id: "x" };
    const { body } = await ask("secrets", "POST cloud/static-roles/app", wanted);
    expect(body.data).toMatchObject({ assume_role_arn: role, external_id: "x", assume_role_session_name: "" });
  });

  // @covers peering: Endpoints > query partition
  it("keeps peerings of one name apart by their partition, of the body or of the query", async () => {
    const { ask } = await started("enterprise");
    await ask("cluster", "POST peering/token", { PeerName: "far", Meta: { in: "none" } });
    await ask("cluster", "POST peering/token?partition=web", {
      PeerName: "far",
      Partition: "team",
      Meta: { in: "team" },
    });
    const read = async (query: string) => (await ask("cluster", `GET peering/far${query}`)).body;
    expect(await read("")).toMatchObject({ Partition: "default", Meta: { in: "none" } });
    expect(await read("?partition=team")).toMatchObject({ Partition: "team", Meta: { in: "team" } });
    expect((await ask("cluster", "GET peering/far?partition=web")).status).toBe(404);
    expect((await ask("cluster", "GET peerings?partition=team")).body).toHaveLength(1);
    await ask("cluster", "DELETE peering/far?partition=team");
    expect((await ask("cluster", "GET peerings")).body).toHaveLength(1);
  });
});

describe("lists of peerings", () => {
  // @covers peering: Authentication, errors, limits, versions > filtered lists
  it("say that something was left out while the admin interface wants it, reads of one never", async () => {
    const { server, ask } = await started("vault");
    const header = async (line: string) =>
      (await ask("cluster", line)).headers.get("x-consul-results-filtered-by-acls");
    const filter = (filtered: boolean) =>
      fetch(`${server.admin.address}/cluster/results-filtered`, {
        method: "PUT",
        headers: { authorization: `Bearer ${server.admin.token}` },
        body: JSON.stringify({ filtered }),
      });
    await ask("cluster", "POST peering/token", { PeerName: "far" });
    expect(await header("GET peerings")).toBeNull();
    expect((await filter(true)).status).toBe(204);
    expect(await header("GET peerings")).toBe("true");
    expect(await header("GET peering/far")).toBeNull();
    await filter(false);
    expect(await header("GET peerings")).toBeNull();
  });

  it.each(["stale", "consistent"])("are had %s too", async (query) => {
    const { ask } = await started("vault");
    expect(await ask("cluster", `GET peerings?${query}`)).toMatchObject({ status: 200, body: [] });
  });
});
