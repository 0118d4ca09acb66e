import type { StackExport } from "../pulumi/sandbox.mts";
import { StepError } from "../steps/step-error.mjs";
import type { ServerAddresses } from "./embedded-server.mts";

/** A role as the server stores it. */
export type RoleRecord = Readonly<Record<string, unknown>>;

const twelveHours = 12 * 60 * 60;
const addedPolicy = "added-by-hand";

/** The id of a JWT role of the stack, the same in every run, which is also its path on the server. */
export function roleIn(stack: StackExport): string {
  const roles = (stack.deployment.resources ?? []).filter(({ type }) => /jwt[/:](role:)?Role$/.test(type));
  const [first] = roles.flatMap(({ id }) => id ?? []).sort();
  if (first === undefined) throw new StepError("the stack holds no jwt.Role that could be changed");
  return first;
}

export function readRole(server: ServerAddresses, path: string): Promise<RoleRecord> {
  return request(server, "GET", path);
}

/**
 * What somebody with access to the server might do by hand. The write endpoint merges, so this names only what changes; and
 * `role_type`, without which every write makes the role an OIDC one.
 */
export function changeFor(role: RoleRecord) {
  const ttl = Number(role.token_ttl ?? 0);
  const longest = Number(role.token_max_ttl ?? 0) || twelveHours;
  const policies = Array.isArray(role.token_policies) ? role.token_policies : [];
  return {
    role_type: role.role_type,
    token_ttl: ttl === longest ? longest / 2 : longest,
    token_policies: [...policies, addedPolicy],
  };
}

export async function changeRole(server: ServerAddresses, path: string, change: object): Promise<void> {
  await request(server, "PUT", path, change);
}

async function request({ secrets }: ServerAddresses, method: string, path: string, body?: object): Promise<RoleRecord> {
  const response = await fetch(`${secrets.address}/v1/${path}`, {
    method,
    headers: { "X-Vault-Token": secrets.token, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new StepError(`${method} ${path}: ${response.status} ${text.trim()}`);
  return text === "" ? {} : JSON.parse(text).data;
}
