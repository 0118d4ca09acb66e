import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultPolicySet } from "../../server/serve.ts";
import { rawApi } from "../support/contract-raw.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";
import { makeSecret } from "./needle.ts";
import { openStory, type Story, type StoryOptions } from "./pulumi-story.ts";
import { type DriftRun, runTrustplane } from "./run-drift.ts";

// Pulumi takes a line break off the end of what it reads.
export const [rootKey, sensitive] = [makeSecret().trimEnd(), makeSecret().trimEnd()];

const common = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] };

/** A stack without a program, and servers with what somebody has made by hand. */
export async function openFurnished(options: Pick<StoryOptions, "env"> = {}): Promise<Story> {
  const story = await openStory({ program: { source: "" }, ...options });
  await furnish(story);
  return story;
}

/** What somebody has made by hand: names and values that no program may trust among it. */
async function furnish({ ours }: Story): Promise<void> {
  const [secrets, cluster, policy] = (["secrets", "cluster", "policy"] as const).map((name) =>
    rawApi(name, ours[name]),
  );
  await secrets?.call("POST sys/auth/jobs", { type: "jwt", config: { default_lease_ttl: "15m" } });
  await secrets?.call("POST auth/jobs/config", {
    jwt_validation_pubkeys: [publicKeyPem()],
    bound_issuer: "https://git",
  });
  for (const name of ["build", "deploy", "nightly", "__proto__"])
    await secrets?.call(`POST auth/jobs/role/${name}`, { ...common, token_policies: [name] });
  await secrets?.call("POST auth/jobs/role/by-email", { ...common, user_claim: "email", token_ttl: "1h" });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: text that must stay text
  const claims = { "${process.exit(3)}": "`${process.exit(3)}`", 'a"\n\u202e': ["'", "\u2028"] };
  await secrets?.call("POST auth/jobs/role/hostile", { ...common, bound_claims: claims });
  await secrets?.call("POST cloud/config/root", {
    access_key: "AKIAEXAMPLE",
    secret_key: rootKey,
    region: "eu-west-1",
  });
  await secrets?.call("POST cloud/config/lease", { lease: "1h", lease_max: "24h" });
  const document = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:Get*","Resource":"*"}]}';
  for (const name of ["read", "write", "audit"])
    await secrets?.call(`POST cloud/roles/${name}`, { credential_type: "iam_user", policy_document: document });
  await secrets?.call("POST sys/policies/acl/build", { policy: 'path "cloud/creds/read" { capabilities = ["read"] }' });
  const group = await secrets?.call("POST identity/group", { name: "builders", type: "external", policies: "build" });
  const methods = await secrets?.call("GET sys/auth");
  await secrets?.call("POST identity/group-alias", {
    name: "builders",
    canonical_id: Object(group).data.id,
    mount_accessor: Object(methods).data["jobs/"].accessor,
  });
  const exported = { Name: "billing", Consumers: [{ Peer: "west" }] };
  await cluster?.call("PUT config", { Kind: "exported-services", Name: "default", Services: [exported] });
  const sources = [{ Name: "checkout", Peer: "west", Action: "allow" }];
  await cluster?.call("PUT config", { Kind: "service-intentions", Name: "billing", Sources: sources });
  await cluster?.call("POST peering/token", { PeerName: "west", Meta: { team: "core" } });
  for (const [key, value] of [
    ["limit", "12"],
    ["token", sensitive],
  ] as const) {
    const attributes = { key, value, category: "policy-set", sensitive: value === sensitive };
    await policy?.call(`POST policy-sets/${defaultPolicySet}/parameters`, { data: { type: "vars", attributes } });
  }
}

/** Writes the project with the command of the package, and makes it the program of the story. */
export async function adopted(story: Story, ...flags: string[]): Promise<DriftRun> {
  const out = join(story.sandbox.folder, "story");
  const result = await runTrustplane(story, ["adopt", "--organization", "demo", "--out", out, ...flags]);
  for (const name of readdirSync(out)) story.sandbox.write(name, readFileSync(join(out, name), "utf8"));
  return result;
}

export const writes = (story: Story) => story.requests().filter((request) => !request.startsWith("GET"));
