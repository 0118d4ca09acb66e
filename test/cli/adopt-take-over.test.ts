import { describe, expect, it } from "vitest";
import { checkResource } from "../../provider/core/check-set.ts";
import type { Definition } from "../../provider/core/definition.ts";
import { typeToken } from "../../provider/core/type-token.ts";
import { createEngine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import { defaultPolicySet } from "../../server/serve.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";
import { evaluated, type MadeResource } from "./adopt-evaluate.ts";
import { openAdoption } from "./adopt-harness.ts";

const policy = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["s3:Get*"],"Resource":"*"}]}';
const claims = { 'a"`${b}': "'\n\\", list: ["x", "y"], flag: true, ["constructor"]: "\u2028" };

/** Servers with records of every kind, with what is hard to write down. */
async function furnished() {
  const adoption = await openAdoption();
  const secrets = adoption.raw("secrets");
  await secrets.call("POST sys/auth/jobs", { type: "jwt", description: 'a "b"\nc', config: { max_lease_ttl: "24h" } });
  await secrets.call("POST sys/mounts/team/aws", { type: "aws", description: "keys" });
  await secrets.call("POST auth/jobs/config", {
    jwt_validation_pubkeys: [publicKeyPem()],
    bound_issuer: "https://git",
  });
  const role = { role_type: "jwt", user_claim: "sub", bound_claims: claims, token_ttl: 900 };
  await secrets.call("POST auth/jobs/role/a", { ...role, claim_mappings: { '"': "m" }, clock_skew_leeway: -1 });
  await secrets.call("POST auth/jobs/role/b.c", { ...role, token_bound_cidrs: ["10.0.0.0/8"], token_num_uses: 3 });
  await secrets.call("POST auth/jobs/role/web", { user_claim: "sub", allowed_redirect_uris: ["https://a.example/cb"] });
  await secrets.call("POST cloud/config/root", { region: "eu-west-1", max_retries: 3 });
  await secrets.call("POST cloud/config/lease", { lease: "1h30m", lease_max: "24h" });
  for (const [name, body] of Object.entries({ "r@x": { policy_document: policy }, tagged: { iam_tags: { a: "b" } } }))
    await secrets.call(`POST cloud/roles/${name}`, { credential_type: "iam_user", ...body });
  await adoption.raw("cluster").call("POST peering/token", { PeerName: "west", Meta: { team: "core" } });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: text that must stay text
  const attributes = { key: 'k "${x}"', value: "`v`\n", category: "policy-set" };
  const parameters = `POST policy-sets/${defaultPolicySet}/parameters`;
  await adoption.raw("policy").call(parameters, { data: { type: "vars", attributes } });
  const { env, server } = adoption;
  const engine = createEngine({ config: () => undefined, env, log: () => {} });
  server.log.clear();
  return { ...adoption, engine, writes: () => server.log.all().filter(({ method }) => method !== "GET") };
}

function madeBy(files: Readonly<Record<string, string>>): MadeResource[] {
  return Object.entries(files).flatMap(([name, text]) => (/^(?!index).*\.ts$/.test(name) ? evaluated(text) : []));
}

function definitionOf({ class: name }: MadeResource): Definition {
  const found = Object.values<Definition>(definitions).find(({ token }) => token === name.replace(".", ":"));
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

describe("what trustplane adopt writes", () => {
  it("differs in nothing from what an import reads, and every id is the record's own", async () => {
    const { adopt, engine } = await furnished();
    const { files } = await adopt("--policy-set", defaultPolicySet);
    const { resources } = JSON.parse(files["import.json"] ?? "") as {
      resources: { type: string; name: string; id: string }[];
    };
    const made = madeBy(files);
    expect(resources).toHaveLength(made.length);
    for (const each of made) {
      const definition = definitionOf(each);
      const entry = resources.find(({ type, name }) => type === typeToken(definition.token) && name === each.name);
      const read = await engine.read(definition, entry?.id ?? "", {});
      const { inputs, failures } = checkResource(definition, each.args, {}, undefined);
      expect([each.name, failures]).toEqual([each.name, []]);
      expect([each.name, (await engine.diff(definition, read?.state ?? {}, inputs)).changed]).toEqual([each.name, []]);
    }
  });

  it("is taken over with a write of those records alone that hide something, and these keep their values", async () => {
    const { adopt, engine, server, writes } = await furnished();
    const { files, out } = await adopt("--policy-set", defaultPolicySet, "--classes", "dynamic");
    expect(out).toContain("1 left out");
    expect(files["README.md"]).toMatch(
      /`cluster\.PeeringToken west`: `the dynamic classes would have the server issue/,
    );
    const before = server.records();
    const library = (text: string) => text.replace('from "trustplane"', 'from "trustplane/native"');
    for (const each of madeBy(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, library(text)])))) {
      const definition = definitionOf(each);
      await engine.create(definition, checkResource(definition, each.args, {}, undefined).inputs);
    }
    expect(writes().map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /v1/auth/jobs/config",
      "POST /v1/cloud/config/root",
    ]);
    expect(server.records()).toEqual(before);
  });
});
