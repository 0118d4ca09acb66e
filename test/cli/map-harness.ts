import type { TrustMap } from "../../cli/facts/map/trust-map.ts";
import type { Values } from "../../provider/core/definition.ts";
import { previewJson, type WantedStep } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

/** A resource of a stack, by its class and its name in the program. */
export const wanted = (token: string, name: string, after: Values): WantedStep => ({
  op: "create",
  token,
  name,
  after,
});

/** The map of a stack, as `--json` prints it. */
export async function mapOf(steps: readonly WantedStep[], ...words: string[]): Promise<TrustMap> {
  return mapIn(previewJson({ steps }), ...words);
}

export async function mapIn(text: string, ...words: string[]): Promise<TrustMap> {
  const { code, out, err } = await runCli(["map", "--json", ...words], text);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
}

/** Each way of a map in one line: `role jobs/ci > policy deploy`, then what is demanded and what may be done. */
export function waysOf({ nodes, edges }: TrustMap): string[] {
  const titles = new Map(
    nodes.map(({ id, kind, name, connection, namespace, partition, provider }) => {
      const place = [connection, namespace, partition, provider].filter((each) => each !== undefined);
      return [id, `${kind} ${name}${place.length === 0 ? "" : ` (${place.join(" ")})`}`];
    }),
  );
  return edges.map(({ from, to, bounds, capabilities = [] }) => {
    const texts = [...bounds.map(({ text }) => text), ...capabilities];
    return `${titles.get(from)} > ${titles.get(to)}${texts.length === 0 ? "" : `: ${texts.join(", ")}`}`;
  });
}

export const ISSUER = "https://git.example.com";

/** A role that a job logs in with. */
export const jobRole = (name: string, changed: Values = {}): WantedStep =>
  wanted("jwt:Role", [name, changed["mount"], changed["namespace"], changed["connection"]].filter(Boolean).join("-"), {
    mount: "jobs",
    name,
    roleType: "jwt",
    userClaim: "sub",
    boundClaims: { project: `acme/${name}` },
    tokenPolicies: [name],
    ...changed,
  });

/** A stack with a record of every kind on the map. */
export const wholeStack: readonly WantedStep[] = [
  wanted("sys:AuthMount", "jobs", { path: "jobs", type: "jwt" }),
  wanted("jwt:Config", "jobs", { mount: "jobs", oidcDiscoveryUrl: ISSUER }),
  jobRole("deploy", { tokenTtl: "15m" }),
  wanted("sys:Policy", "deploy", {
    name: "deploy",
    policy:
      'path "secret/data/deploy/*" { capabilities = ["read"] }\npath "aws/creds/deploy" { capabilities = ["read"] }',
  }),
  wanted("identity:Group", "people", {
    name: "people",
    type: "external",
    policies: ["deploy"],
    alias: { mount: "people", name: "platform" },
  }),
  wanted("cloud:RootConfig", "root", { mount: "aws", region: "eu-west-1" }),
  wanted("cloud:Role", "deploy", {
    mount: "aws",
    name: "deploy",
    credentialType: "assumed_role",
    roleArns: ["arn:aws:iam::123456789012:role/deploy"],
  }),
  wanted("cluster:PeeringToken", "west", { peerName: "west" }),
  wanted("cluster:ExportedServices", "default", { services: [{ name: "billing", consumers: [{ peer: "west" }] }] }),
  wanted("cluster:Intention", "billing", { destination: "billing", sources: [{ name: "web", action: "allow" }] }),
];
