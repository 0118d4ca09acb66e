import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Embedded servers, in this process or in another one. */
interface Addresses {
  readonly admin: { readonly address: string; readonly token: string };
  readonly policy: { readonly address: string; readonly policySet: string };
  /** Another cluster. */
  readonly partner: { readonly address: string; readonly token: string };
}

/** What a recorded run begins with, and what its replay has to begin with. */
export interface Prepared {
  /** For the program, beside the variables that name the servers. */
  readonly env: Readonly<Record<string, string>>;
  /** The text of `trustplane:connections`. */
  readonly connections: string;
  /** What is another one at each start, by the name of its placeholder. */
  readonly known: Readonly<Record<string, string>>;
}

const publicKey = join(import.meta.dirname, "../../examples/platform/keys/git-host.pub.pem");

/** Gives the cloud the users that the recorded program speaks of. */
export async function prepareServers({ admin, policy, partner }: Addresses): Promise<Prepared> {
  const addUser = async (name: string) => {
    const headers = { authorization: `Bearer ${admin.token}` };
    const body = JSON.stringify({ name, accessKeys: 1 });
    const response = await fetch(`${admin.address}/cloud/users`, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`adding the cloud's user ${name}: ${response.status} ${await response.text()}`);
    // As the admin interface of this very build answers.
    const user = (await response.json()) as { accessKeys: readonly [{ accessKeyId: string; secretKey: string }] };
    return user.accessKeys[0];
  };
  const root = await addUser("root");
  await addUser("billing");
  await addUser("robot");
  return {
    env: {
      PARTNER_CONSUL_TOKEN: partner.token,
      POLICY_SET: policy.policySet,
      PUBLIC_KEY: readFileSync(publicKey, "utf8"),
      ROOT_ACCESS_KEY: root.accessKeyId,
      ROOT_SECRET_KEY: root.secretKey,
    },
    connections: JSON.stringify({
      partner: { service: "cluster", address: partner.address, tokenEnv: "PARTNER_CONSUL_TOKEN" },
    }),
    known: {
      "partner-address": new URL(partner.address).host,
      "policy-address": new URL(policy.address).host,
      "root-access-key": root.accessKeyId,
      "root-secret-key": root.secretKey,
    },
  };
}
