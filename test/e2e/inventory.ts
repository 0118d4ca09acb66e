import type { RawApi, ServiceName } from "../support/contract-raw.ts";

/** Every record that the services list, by its path: what is left when a stack is gone. Ids that a server makes up are not in it. */
export async function inventoryOf(raw: (service: ServiceName) => RawApi): Promise<readonly string[]> {
  const [secrets, policies, entries, ours, theirs] = await Promise.all([
    secretsOf(raw("secrets")),
    policySetsOf(raw("policy")),
    entriesOf(raw("cluster")),
    raw("cluster").call("GET peerings"),
    raw("peer").call("GET peerings"),
  ]);
  return [
    ...secrets,
    ...policies,
    ...entries,
    ...(ours as readonly Peering[]).map(({ Name }) => `peering ${Name}`),
    ...(theirs as readonly Peering[]).map(({ Name }) => `peering ${Name} of the partner`),
  ].sort();
}

/** The parts of the documented answers that are read here. */
interface Documents {
  readonly data: readonly { readonly id: string; readonly attributes: Readonly<Record<string, string>> }[];
}
interface Entry {
  readonly Kind: string;
  readonly Name: string;
}
interface Peering {
  readonly Name: string;
}
interface Mounts {
  readonly data: Readonly<Record<string, { readonly type: string }>>;
}
interface Keys {
  readonly data: { readonly keys: readonly string[] };
}

const collections: Readonly<Record<string, readonly string[]>> = {
  jwt: ["role"],
  oidc: ["role"],
  aws: ["roles", "static-roles"],
};

async function policySetsOf(api: RawApi): Promise<readonly string[]> {
  const sets = (await api.call("GET organizations/demo/policy-sets")) as Documents;
  const found = sets.data.map(async ({ id, attributes: { name } }) => {
    const parameters = (await api.call(`GET policy-sets/${id}/parameters`)) as Documents;
    return [`policy set ${name}`, ...parameters.data.map(({ attributes }) => `parameter ${name}/${attributes["key"]}`)];
  });
  return (await Promise.all(found)).flat();
}

async function entriesOf(api: RawApi): Promise<readonly string[]> {
  const kinds = ["exported-services", "service-intentions"];
  const lists = await Promise.all(kinds.map((kind) => api.call(`GET config/${kind}`)));
  return (lists as Entry[][]).flat().map(({ Kind, Name }) => `${Kind} ${Name}`);
}

async function secretsOf(api: RawApi): Promise<readonly string[]> {
  const [auth, engines] = await Promise.all([api.call("GET sys/auth"), api.call("GET sys/mounts")]);
  const mounts = [
    ...Object.entries((auth as Mounts).data).map(([path, { type }]) => ({ path: `auth/${path}`, type })),
    ...Object.entries((engines as Mounts).data).map(([path, { type }]) => ({ path, type })),
  ];
  const inside = mounts.flatMap(({ path, type }) =>
    (collections[type] ?? []).map((collection) => namesIn(api, `${path}${collection}`)),
  );
  const all = await Promise.all([...inside, namesIn(api, "identity/group/name"), namesIn(api, "sys/policies/acl")]);
  return [...mounts.map(({ path }) => path), ...all.flat()];
}

/** An empty collection is answered like one that is not there. */
async function namesIn(api: RawApi, path: string): Promise<readonly string[]> {
  const { status, body } = await api.ask(`GET ${path}?list=true`);
  if (status === 404) return [];
  if (status !== 200) throw new Error(`GET ${path}?list=true: ${status} ${JSON.stringify(body)}`);
  return (body as Keys).data.keys.map((name) => `${path}/${name}`);
}
