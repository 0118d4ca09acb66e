import { expect } from "vitest";
import { ask, type ServiceName } from "./data-harness";
import type { ServeProcess } from "./data-process";
import { vars } from "./policy-harness";

interface Asked {
  readonly request: string;
  readonly body?: unknown;
}

/** Somebody who writes to a server all the time, and knows what was acknowledged. */
export interface Writer {
  readonly name: string;
  /** Sends the next write. Resolves to whether it was acknowledged: the process may be gone. */
  writeNext(process: ServeProcess): Promise<boolean>;
  /** That everything acknowledged is there, and of what was under way all or nothing. Goes on from what is there. */
  assertKept(process: ServeProcess): Promise<void>;
}

/** A record that is written over, or made and deleted, again and again. */
interface Changing {
  readonly service: ServiceName;
  readonly isMadeAnew: boolean;
  write(value: string): Asked;
  readonly remove: string;
  value(process: ServeProcess): Promise<unknown>;
}

/** Things that are made one after another, each with an id of its own. */
interface Making {
  readonly service: ServiceName;
  make(number: number): Asked;
  /** Its id, from the answer. */
  idOf(answer: string, number: number): string;
  ids(process: ServeProcess): Promise<readonly string[]>;
}

async function read(process: ServeProcess, service: ServiceName, request: string) {
  const { status, text } = await ask(process[service], { service, request });
  if (status === 404) return undefined;
  expect(status, text).toBe(200);
  return JSON.parse(text);
}

/** The cloud has all policies of this name. */
const cloudPolicies = "arn:aws:iam::aws:policy/";

const changing: Readonly<Record<string, Changing>> = {
  role: {
    service: "secrets",
    isMadeAnew: false,
    write: (value) => ({
      request: "POST /v1/auth/jwt/role/r",
      body: { role_type: "jwt", user_claim: "sub", bound_subject: value },
    }),
    remove: "DELETE /v1/auth/jwt/role/r",
    value: async (process) => (await read(process, "secrets", "GET /v1/auth/jwt/role/r"))?.data.bound_subject,
  },
  policy: {
    service: "secrets",
    isMadeAnew: false,
    write: (value) => ({ request: "POST /v1/sys/policies/acl/p", body: { policy: `# ${value}` } }),
    remove: "DELETE /v1/sys/policies/acl/p",
    value: async (process) => (await read(process, "secrets", "GET /v1/sys/policies/acl/p"))?.data.policy.slice(2),
  },
  mount: {
    service: "secrets",
    isMadeAnew: true,
    write: (value) => ({ request: "POST /v1/sys/auth/m", body: { type: "jwt", description: value } }),
    remove: "DELETE /v1/sys/auth/m",
    value: async (process) => (await read(process, "secrets", "GET /v1/sys/auth")).data["m/"]?.description,
  },
  group: {
    service: "admin",
    isMadeAnew: true,
    write: (value) => ({
      request: "POST /cloud/groups",
      body: { name: "g", attachedPolicies: [`${cloudPolicies}${value}`] },
    }),
    remove: "DELETE /cloud/groups/g",
    value: async (process) =>
      (await read(process, "admin", "GET /cloud/groups")).groups[0]?.attachedPolicies[0].slice(cloudPolicies.length),
  },
};

const parameters = "/api/v2/policy-sets/polset-demo000000000001/parameters";

const making: Readonly<Record<string, Making>> = {
  token: {
    service: "secrets",
    make: () => ({ request: "POST /v1/auth/token/create", body: {} }),
    idOf: (answer) => JSON.parse(answer).auth.accessor,
    ids: async (process) => (await read(process, "secrets", "LIST /v1/auth/token/accessors")).data.keys,
  },
  parameter: {
    service: "policy",
    make: (number) => ({ request: `POST ${parameters}`, body: vars({ key: `k${number}`, category: "policy-set" }) }),
    idOf: (answer) => JSON.parse(answer).data.id,
    ids: async (process) =>
      (await read(process, "policy", `GET ${parameters}`)).data.map(({ id }: { id: string }) => id),
  },
  peering: {
    service: "cluster",
    make: (number) => ({ request: "POST /v1/peering/token", body: { PeerName: `p${number}` } }),
    idOf: (_answer, number) => `p${number}`,
    ids: async (process) =>
      (await read(process, "cluster", "GET /v1/peerings")).map(({ Name }: { Name: string }) => Name),
  },
};

/** A user with its key, tags and lease, all in one request. */
const cloudUser: Making = {
  service: "secrets",
  make: () => ({ request: "GET /v1/cloud/creds/maker" }),
  idOf: (answer) => JSON.parse(answer).data.access_key,
  ids: async (process) => {
    const { users } = await read(process, "admin", "GET /cloud/users");
    const made = users.filter(({ name }: { name: string }) => name.startsWith("vault-"));
    const leases = (await read(process, "secrets", "LIST /v1/sys/leases/lookup/cloud/creds/maker"))?.data.keys ?? [];
    expect(made.length, "users, and leases of users").toBe(leases.length);
    return made.map(({ accessKeys }: { accessKeys: readonly { accessKeyId: string }[] }) => accessKeys[0]?.accessKeyId);
  },
};

/** One of each, and more of the one whose requests write most: that a kill falls between two of its writes must be likely. */
export function createWriters(): readonly Writer[] {
  return [
    ...Object.entries(changing).map(([name, kind]) => changingWriter(name, kind)),
    ...Object.entries(making).map(([name, kind]) => makingWriter(name, kind)),
    ...Array.from({ length: 6 }, () => makingWriter("cloud user", cloudUser)),
  ];
}

function changingWriter(name: string, { service, isMadeAnew, write, remove, value }: Changing): Writer {
  let acknowledged: string | undefined;
  let underWay: { readonly value: string | undefined } | undefined;
  let count = 0;
  return {
    name,
    async writeNext(process) {
      count += 1;
      const isRemoved = acknowledged !== undefined && (isMadeAnew || count % 5 === 0);
      underWay = { value: isRemoved ? undefined : `v${count}` };
      const answer = await answered(process, service, isRemoved ? { request: remove } : write(`v${count}`));
      if (answer === undefined) return false;
      acknowledged = underWay.value;
      underWay = undefined;
      return true;
    },
    async assertKept(process) {
      const found = await value(process);
      expect([acknowledged, ...(underWay ? [underWay.value] : [])], name).toContain(found);
      acknowledged = found === underWay?.value ? underWay?.value : acknowledged;
      underWay = undefined;
    },
  };
}

function makingWriter(name: string, { service, make, idOf, ids }: Making): Writer {
  const acknowledged = new Set<string>();
  let count = 0;
  return {
    name,
    async writeNext(process) {
      count += 1;
      const answer = await answered(process, service, make(count));
      if (answer === undefined) return false;
      acknowledged.add(idOf(answer, count));
      return true;
    },
    async assertKept(process) {
      const found = new Set(await ids(process));
      expect(
        [...acknowledged].filter((id) => !found.has(id)),
        `${name}: acknowledged and lost`,
      ).toEqual([]);
    },
  };
}

/** The answer, a success; nothing when the process was killed before it. */
async function answered(process: ServeProcess, service: ServiceName, asked: Asked): Promise<string | undefined> {
  const answer = await ask(process[service], { service, ...asked }).catch(() => undefined);
  if (answer !== undefined) expect(answer.status, `${asked.request}: ${answer.text}`).toBeLessThan(300);
  return answer?.text;
}
