import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { expect, it, onTestFinished } from "vitest";
import type { TrustMap } from "../../cli/facts/map/trust-map.ts";
import { type LiveVault, startLiveConsul, startLiveVault } from "../../tools/live/live-servers.mts";
import { run } from "../cli/drift-harness.ts";
import { rawApi } from "../support/contract-raw.ts";
import { startWithConsul } from "../support/contract-servers-live.ts";
import { expectState, openHalves } from "../support/peering-stacks.ts";
import { fileOfTest } from "../support/temporary-folder.ts";

/** What `--live` says of real servers, beside what these say themselves. */

function testFile(tests: readonly object[]): string {
  return fileOfTest("trust.yml", JSON.stringify({ tests }));
}

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = String(publicKey.export({ type: "spki", format: "pem" }));
const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["vault"], token_policies: ["deploy"] };

/** The API of a Vault with a mount and a policy for the role `deploy`, as other tools leave them. */
async function furnished(vault: LiveVault) {
  const api = rawApi("secrets", vault);
  await api.call("POST sys/auth/jobs", { type: "jwt" });
  await api.call("POST auth/jobs/config", { jwt_validation_pubkeys: [pem], bound_issuer: "https://git.example.com" });
  const policy = 'path "secret/data/deploy/*" { capabilities = ["read"] }';
  await api.call("POST sys/policies/acl/deploy", { policy });
  return api;
}

it("a real Vault and a real Consul are tested, explained and drawn, and a wider role is found", async () => {
  const [vault, consul] = await Promise.all([startLiveVault("1.21"), startLiveConsul({ datacenter: "dc1" })]);
  onTestFinished(async () => void (await Promise.all([vault.close(), consul.close()])));
  const { call } = await furnished(vault);
  const putRole = (...ref: readonly string[]) => call("POST auth/jobs/role/deploy", { ...role, bound_claims: { ref } });
  await putRole("main");
  await rawApi("cluster", consul).call("PUT config", {
    Kind: "exported-services",
    Name: "default",
    Services: [{ Name: "web", Consumers: [{ Peer: "east" }] }],
  });
  const main = { mount: "jobs", role: "deploy", claims: { sub: "ci", ref: "main" } };
  const file = testFile([
    { name: "main deploys", login: main, expect: { policies: ["deploy"], may: { "secret/data/deploy/*": ["read"] } } },
    { name: "no other branch deploys", never: { mount: "jobs", policy: "deploy", unless: { ref: "main" } } },
    { name: "east reaches web", peer: { name: "east" }, expect: { services: ["web"] } },
  ]);
  const flags = [
    ...["--connection", `secrets=${vault.address},tokenEnv=REVIEW`],
    ...["--connection", `cluster=${consul.address},tokenEnv=EAST`],
  ];
  const env = { REVIEW: vault.token, EAST: consul.token };
  const live = (...words: string[]) => run([...words, "--live", ...flags], env);

  const tested = await live("test", file);
  expect(tested).toMatchObject({ code: 0, err: "", out: expect.stringContaining("3 passed, 0 failed") });
  expect((await live("explain", "who", "--policy", "deploy")).out).toContain("Role deploy of auth/jobs");
  const map = JSON.parse((await live("map", "--json")).out) as TrustMap;
  const names = map.nodes.map(({ kind, name }) => `${kind} ${name}`);
  expect(names).toEqual(expect.arrayContaining(["role jobs/deploy", "peer east"]));

  await putRole("main", "dev");
  const wider = await live("test", file);
  expect(wider).toMatchObject({ code: 2, err: "", out: expect.stringContaining("2 passed, 1 failed") });
});

it("a real Vault's other logins are read for who has a policy, and counted elsewhere", async () => {
  const vault = await startLiveVault("1.21");
  onTestFinished(() => vault.close());
  const { call } = await furnished(vault);
  const [, pem] = [await call("POST sys/auth/machines", { type: "approle" }), vault.tls.ca];
  await call("POST auth/machines/role/agent", { token_policies: ["deploy"] });
  await call("POST sys/auth/cloud", { type: "aws" });
  await call("POST auth/cloud/role/lambda", {
    ...{ auth_type: "iam", bound_iam_principal_arn: "arn:aws:iam::1:role/x", resolve_aws_unique_ids: false },
    token_policies: ["deploy"],
  });
  await call("POST sys/auth/cert", { type: "cert" });
  await call("POST auth/cert/certs/web", { certificate: pem, token_policies: ["other"] });
  await call("POST auth/token/roles/ops", { allowed_policies_glob: ["dep*"] });
  await call("POST identity/entity", { name: "anna", policies: ["deploy"] });
  const live = (...words: string[]) =>
    run([...words, "--live", "--connection", `secrets=${vault.address},tokenEnv=REVIEW`], { REVIEW: vault.token });

  const who = await live("explain", "who", "--policy", "deploy");
  const tokens =
    /^trustplane: not looked at: \d+ tokens? that exists?: each keeps the policies that it was made with\.\n$/;
  expect({ code: who.code, err: who.err }).toEqual({ code: 0, err: expect.stringMatching(tokens) });
  expect(who.out.trimEnd().split("\n").sort()).toEqual([
    ...["Entity anna", "Role agent of auth/machines (approle)", "Role lambda of auth/cloud (aws)"].map(
      (title) => `${title}: Whoever logs in by it.`,
    ),
    expect.stringMatching(/^Token role ops: Whoever may create tokens with it/),
  ]);
  const { err } = await live("map");
  for (const what of [
    "1 role of auth/machines (approle)",
    "1 certificate of auth/cert (cert)",
    "1 token role",
    "1 entity",
  ])
    expect(err).toContain(`trustplane: not looked at: ${what}.\n`);
});

it("trust tests of a real Vault agree with its own logins, and write nothing to it", async () => {
  const vault = await startLiveVault("1.21");
  onTestFinished(() => vault.close());
  const { call, ask } = await furnished(vault);
  await call("POST auth/jobs/role/deploy", {
    ...role,
    bound_claims_type: "glob",
    bound_claims: { ref: ["main", "release/*"] },
    token_ttl: 600,
  });
  const refs = ["main", "release/1", "dev", "x/main", "mainx", "release"];
  const logIn = async (ref: string) => {
    const jwt = await new SignJWT({ iss: "https://git.example.com", aud: "vault", sub: "ci", ref })
      .setProtectedHeader({ alg: "ES256" })
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(privateKey);
    const { status, body } = await ask("POST auth/jobs/login", { role: "deploy", jwt });
    expect([200, 400]).toContain(status);
    const { policies = [], lease_duration: ttl = 0 } = Object(body).auth ?? {};
    return { isAllowed: status === 200, policies: policies.filter((name: string) => name !== "default"), ttl };
  };
  const real = await Promise.all(refs.map(async (ref) => ({ ref, ...(await logIn(ref)) })));
  expect(new Set(real.map(({ isAllowed }) => isAllowed))).toEqual(new Set([true, false]));
  const login = (ref: string) => ({ mount: "jobs", role: "deploy", claims: { ref, sub: "ci" } });
  const granted = ({ policies, ttl }: (typeof real)[number]) => ({
    policies,
    ttl,
    may: { "secret/data/deploy/*": ["read"] },
    mayNot: { "sys/policies/*": ["read"] },
  });
  const asReal = real.map((each) => ({
    name: each.ref,
    login: login(each.ref),
    expect: each.isAllowed ? granted(each) : "refused",
  }));
  const records = async () =>
    Promise.all(
      ["sys/auth", "auth/jobs/config", "auth/jobs/role/deploy", "sys/policies/acl/deploy"].map((path) =>
        call(`GET ${path}`),
      ),
    );
  const before = JSON.stringify(withoutRequest(await records()));

  const named = ["--live", "--connection", `secrets=${vault.address},tokenEnv=REVIEW_TOKEN`];
  const env = { REVIEW_TOKEN: vault.token };
  const right = await run(["test", testFile(asReal), ...named], env);
  const opposite = asReal.map((each) => ({
    ...each,
    expect: each.expect === "refused" ? { policies: ["deploy"] } : "refused",
  }));
  const wrong = await run(["test", testFile(opposite), ...named], env);

  // The entities of these logins were read, and have no policies.
  const err = "";
  expect(right).toMatchObject({ code: 0, err, out: expect.stringContaining("6 passed, 0 failed") });
  expect(wrong).toMatchObject({ code: 2, err, out: expect.stringContaining("0 passed, 6 failed") });
  expect(JSON.stringify(withoutRequest(await records()))).toBe(before);
});

/** The answers without what names the request. */
function withoutRequest(answers: readonly unknown[]): unknown[] {
  return answers.map((answer) => Object(answer).data);
}

it("trust tests of a real Consul name the services that the peer really sees", async () => {
  const servers = await startWithConsul();
  onTestFinished(() => servers.close());
  const { world, tokens, peerings, issuing, taking, acceptor, dialer } = await openHalves("engine", { servers });
  await tokens.up(issuing);
  await peerings.up(taking());
  await expectState(world, "ACTIVE", acceptor, dialer);
  const exporter = world.raw("peer");
  const names = ["web", "db", "mail"];
  for (const Service of names)
    await exporter.call("PUT catalog/register", {
      Node: Service,
      Address: "192.0.2.1",
      Service: { Service, Port: 80 },
    });
  const seen = async () => {
    const found = await Promise.all(
      names.map((name) => world.raw("cluster").call(`GET health/service/${name}?peer=${dialer[1]}`)),
    );
    return names.filter((_, index) => (found[index] as unknown[]).length > 0);
  };
  const consumers = [{ Peer: acceptor[1] }];
  const exported = (...services: readonly object[]) =>
    exporter.call("PUT config", { Kind: "exported-services", Name: "default", Services: services });
  const { address, token } = servers.peer;
  const verdict = async (services: readonly string[]) => {
    const file = testFile([{ name: "peer", peer: { name: acceptor[1] }, expect: { services } }]);
    const named = ["--live", "--connection", `cluster=${address},tokenEnv=REVIEW_TOKEN`];
    const { code, out, err } = await run(["test", file, ...named], { REVIEW_TOKEN: token });
    expect(err).toBe("");
    return { code, out };
  };

  await exported(
    { Name: "web", Consumers: consumers },
    { Name: "db", Consumers: consumers },
    { Name: "mail", Consumers: [{ Peer: "other" }] },
  );
  await expect.poll(seen, { timeout: 15_000 }).toEqual(["web", "db"]);
  expect(await verdict(await seen())).toMatchObject({ code: 0 });
  expect(await verdict(["web"])).toMatchObject({ code: 2, out: expect.stringContaining("the peer also reaches db") });
  expect(await verdict(names)).toMatchObject({ code: 2, out: expect.stringContaining("the peer does not reach mail") });

  // The catalog still shows what an intention denies, so this part is asked of nobody.
  await exporter.call("PUT config", {
    Kind: "service-intentions",
    Name: "db",
    Sources: [{ Name: "*", Peer: acceptor[1], Action: "deny" }],
  });
  expect(await verdict(["web"])).toMatchObject({ code: 0 });

  await exported({ Name: "*", Consumers: consumers });
  await expect.poll(seen, { timeout: 15_000 }).toEqual(names);
  expect(await verdict(["*"])).toMatchObject({ code: 0 });
}, 120_000);
