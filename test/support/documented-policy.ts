import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kebabCase } from "../../schema/long-form.ts";
import { repository } from "../../tools/steps/repository.mjs";
import type { RawApi } from "./contract-raw.ts";

/** The policy that the page of a resource or a function shows, as a person copies it; undefined where it shows none. */
export function documentedPolicy(token: string): string | undefined {
  const [module = "", name = ""] = token.split(":");
  const page = readFileSync(join(repository, "docs", module, `${kebabCase(name)}.md`), "utf8");
  return /^```hcl\n(.*?)^```$/ms.exec(page)?.[1];
}

/** The policy for a mount of one's own: its path in the place of the default one, or of the wild card, as the page says. */
export function policyForMount(policy: string, mount: string): string {
  return policy.replaceAll(/"auth\/(?:jwt|\+)\//g, `"auth/${mount}/`).replaceAll(/"(?:cloud|\+)\//g, `"${mount}/`);
}

/** A token of the secrets server that may do what the policy says, and nothing else. */
export async function secretsToken(raw: RawApi, policy: string): Promise<string> {
  const name = `documented-${randomUUID()}`;
  await raw.call(`POST sys/policies/acl/${name}`, { policy });
  const answer = await raw.call("POST auth/token/create", { policies: [name], no_default_policy: true });
  // Both servers' answer.
  return (answer as { auth: { client_token: string } }).auth.client_token;
}

/** The same of a cluster. */
export async function clusterToken(raw: RawApi, rules: string): Promise<string> {
  const name = `documented-${randomUUID()}`;
  await raw.call("PUT acl/policy", { Name: name, Rules: rules });
  const answer = await raw.call("PUT acl/token", { Policies: [{ Name: name }] });
  return (answer as { SecretID: string }).SecretID;
}
