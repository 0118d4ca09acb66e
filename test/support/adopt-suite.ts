import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkResource } from "../../provider/core/check-set.ts";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { typeToken } from "../../provider/core/type-token.ts";
import { createEngine, type Engine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import { defaultPolicySet } from "../../server/serve.ts";
import { run } from "../cli/drift-harness.ts";
import { environmentOf } from "../e2e/watched-servers.ts";
import { evaluatedFiles, type MadeResource } from "./adopt-evaluate.ts";
import { rawApi } from "./contract-raw.ts";
import type { ServiceAddress } from "./servers-under-test.ts";
import { publicKeyPem } from "./valid-inputs.ts";

/** Servers of any kind; they must have no records of other tests. */
export interface AdoptedServers {
  readonly secrets: ServiceAddress;
  readonly cluster: ServiceAddress;
  readonly policy: ServiceAddress;
  close(): Promise<void>;
}

interface ImportEntry {
  readonly type: string;
  readonly name: string;
  readonly id: string;
}

const policy = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["s3:Get*"],"Resource":"*"}]}';
/** What terraform-provider-vault writes for lists that its program leaves out. */
export const AS_OTHERS_TUNE = {
  passthrough_request_headers: [""],
  allowed_response_headers: [""],
  audit_non_hmac_request_keys: [""],
  audit_non_hmac_response_keys: [""],
};

const claims = { 'a"`${b}': "'\n\\", list: ["x", "y"], flag: true, constructor: "\u2028" };

/** Records of every kind, with what is hard to write down. */
async function furnish(servers: AdoptedServers): Promise<void> {
  const secrets = rawApi("secrets", servers.secrets);
  // The embedded server has this mount from the start.
  await secrets.ask("POST sys/mounts/cloud", { type: "aws" });
  await secrets.call("POST sys/auth/jobs", { type: "jwt", description: 'a "b"\nc', config: { max_lease_ttl: "24h" } });
  await secrets.call("POST sys/auth/jobs/tune", AS_OTHERS_TUNE);
  await secrets.call("POST sys/policies/acl/deploy", {
    policy: 'path "cloud/creds/tagged" { capabilities = ["read"] }',
  });
  await secrets.call("POST sys/mounts/team/aws", { type: "aws", description: "keys" });
  await secrets.call("POST auth/jobs/config", {
    jwt_validation_pubkeys: [publicKeyPem()],
    bound_issuer: "https://git",
  });
  const role = { role_type: "jwt", user_claim: "sub", bound_claims: claims, token_ttl: 900 };
  await secrets.call("POST auth/jobs/role/a", { ...role, claim_mappings: { '"': "m" }, clock_skew_leeway: -1 });
  await secrets.call("POST auth/jobs/role/b.c", {
    ...role,
    token_bound_cidrs: ["10.0.0.0/8"],
    token_num_uses: 3,
    token_policies: "deploy,x",
  });
  await secrets.call("POST auth/jobs/role/web", { user_claim: "sub", allowed_redirect_uris: ["https://a.example/cb"] });
  await secrets.call("POST cloud/config/root", { region: "eu-west-1", max_retries: 3 });
  await secrets.call("POST cloud/config/lease", { lease: "1h30m", lease_max: "24h" });
  for (const [name, body] of Object.entries({ "r@x": { policy_document: policy }, tagged: { iam_tags: { a: "b" } } }))
    await secrets.call(`POST cloud/roles/${name}`, { credential_type: "iam_user", ...body });
  await rawApi("cluster", servers.cluster).call("POST peering/token", { PeerName: "west", Meta: { team: "core" } });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: text that must stay text
  const attributes = { key: 'k "${x}"', value: "`v`\n", category: "policy-set" };
  const parameters = `POST policy-sets/${defaultPolicySet}/parameters`;
  await rawApi("policy", servers.policy).call(parameters, { data: { type: "vars", attributes } });
}

/** What `trustplane adopt` promises on any servers: its program says what is there, and takes it over as it is. */
export function tellAdoption(start: () => Promise<AdoptedServers>): void {
  let servers: AdoptedServers;
  let env: Record<string, string>;
  let engine: Engine;
  const sent: string[] = [];

  beforeAll(async () => {
    servers = await start();
    const { secrets, cluster, policy } = servers;
    env = environmentOf({ secrets, cluster, policy });
    await furnish(servers);
    const note = (method: string, path: string) => method !== "GET" && sent.push(`${method} ${path}`);
    engine = createEngine({
      config: () => undefined,
      env,
      log: () => {},
      around: () => (send) => (request, signal) => {
        note(request.method, request.url.pathname);
        return send(request, signal);
      },
    });
  });
  afterAll(() => servers.close());

  async function adopt(...flags: string[]) {
    const folder = mkdtempSync(join(tmpdir(), "trustplane-adopt-"));
    try {
      const out = join(folder, "trust");
      const result = await run(["adopt", "--policy-set", defaultPolicySet, "--out", out, ...flags], env);
      const files = Object.fromEntries(readdirSync(out).map((name) => [name, readFileSync(join(out, name), "utf8")]));
      return { ...result, files };
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  async function recordsOf(entries: readonly ImportEntry[]): Promise<(Values | undefined)[]> {
    const reads = entries.map(({ type, id }) => engine.read(definitionOfType(type), id, {}));
    return (await Promise.all(reads)).map((read) => read?.state);
  }

  // Its tests go on from one another.
  describe("the program of trustplane adopt", { shuffle: false }, () => {
    it("differs in nothing from what an import reads, and every id is the record's own", async () => {
      const { code, err, files } = await adopt();
      const entries = entriesIn(files);
      const made = evaluatedFiles(files);
      expect(code, err).toBe(0);
      expect(entries.map(({ type }) => type.replace(/.*:/, ""))).toEqual(expect.arrayContaining(KINDS));
      expect(entries).toHaveLength(made.length);
      for (const each of made) {
        const definition = definitionOf(each);
        const entry = entries.find(({ type, name }) => type === typeToken(definition.token) && name === each.name);
        const read = await engine.read(definition, entry?.id ?? "", {});
        const { inputs, failures } = checkResource(definition, each.args, {}, undefined);
        expect([each.name, failures]).toEqual([each.name, []]);
        expect([each.name, (await engine.diff(definition, read?.state ?? {}, inputs)).changed]).toEqual([
          each.name,
          [],
        ]);
      }
    });

    it("is taken over with a write of those records alone that hide something, and these keep their values", async () => {
      const entries = entriesIn((await adopt()).files);
      const { files, out } = await adopt("--classes", "dynamic");
      expect(out).toMatch(/\d left out/);
      expect(files["README.md"]).toMatch(
        /`cluster\.PeeringToken west`: `the dynamic classes would have the server issue/,
      );
      const before = await recordsOf(entries);
      engine.startRun();
      for (const each of evaluatedFiles(files)) {
        const definition = definitionOf(each);
        await engine.create(definition, checkResource(definition, each.args, {}, undefined).inputs);
      }
      expect(sent).toEqual(["POST /v1/auth/jobs/config", "POST /v1/cloud/config/root"]);
      expect(await recordsOf(entries)).toEqual(before);
    });
  });
}

const KINDS = ["AuthMount", "Config", "LeaseConfig", "Parameter", "PeeringToken", "Role", "RootConfig", "SecretsMount"];

function entriesIn(files: Readonly<Record<string, string>>): readonly ImportEntry[] {
  return JSON.parse(files["import.json"] ?? "").resources;
}

function definitionOf({ class: name }: MadeResource): Definition {
  return definitionOfType(typeToken(name.replace(".", ":")));
}

function definitionOfType(type: string): Definition {
  const found = Object.values<Definition>(definitions).find(({ token }) => typeToken(token) === type);
  if (!found) throw new Error(`there is no ${type}`);
  return found;
}
