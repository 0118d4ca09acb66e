import { serviceOf } from "./contract-case.ts";
import type { ServiceName } from "./contract-raw.ts";
import type { ContractServers } from "./contract-servers.ts";
import type { Subject } from "./contract-subject.ts";
import type { Pairing } from "./contract-suite.ts";
import { openWorld } from "./contract-world.ts";
import { clusterToken, secretsToken } from "./documented-policy.ts";

/** A subject whose tokens may do what a policy says, and nothing else. The servers are prepared with other tokens. */
export async function openLimited(
  pairing: Pick<Pairing, "resource" | "host" | "open">,
  policy: (subject: Subject) => string,
): Promise<Subject> {
  const subject = await pairing.open();
  await limit(subject, pairing, policy(subject));
  return subject;
}

/** Goes on with tokens that may do what the policy says, and nothing else. */
export async function limit(
  { world, stack }: Subject,
  { resource, host }: Pick<Pairing, "resource" | "host">,
  policy: string,
): Promise<void> {
  const servers = await limited(world, serviceOf(resource), policy);
  const own = await openWorld({ servers });
  stack.restart(own.host(host, resource));
}

async function limited(
  { servers, raw }: Subject["world"],
  service: ServiceName,
  policy: string,
): Promise<ContractServers> {
  if (service === "cluster") {
    const [cluster, peer] = await Promise.all([
      clusterToken(raw("cluster"), policy),
      clusterToken(raw("peer"), policy),
    ]);
    return { ...servers, cluster: { ...servers.cluster, token: cluster }, peer: { ...servers.peer, token: peer } };
  }
  return { ...servers, secrets: { ...servers.secrets, token: await secretsToken(raw("secrets"), policy) } };
}
