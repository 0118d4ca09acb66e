import { serverKind } from "../../support/contract-servers.ts";
import type { World } from "../../support/contract-world.ts";

/** Some servers keep static roles and cannot list them (reference secrets-server 4.6). */
export const listsStaticRoles = !["vault-1.19", "embedded-1.19", "openbao", "embedded-openbao"].includes(serverKind);

/** An auth method of one's own; answers its path, which has two segments as mounts may. */
export async function jwtMount(world: World): Promise<string> {
  const mount = `team/${world.fresh("jwt")}`;
  await world.raw("secrets").call(`POST sys/auth/${mount}`, { type: "jwt" });
  return mount;
}

/** A cloud engine of one's own; answers its path. */
export async function cloudMount(world: World): Promise<string> {
  const mount = world.fresh("cloud");
  await world.raw("secrets").call(`POST sys/mounts/${mount}`, { type: "aws" });
  return mount;
}

/** Forgets everything at a mount that the API cannot delete: disables it and enables it again. */
export async function remount(world: World, path: `sys/auth/${string}` | `sys/mounts/${string}`): Promise<void> {
  const type = path.startsWith("sys/auth/") ? "jwt" : "aws";
  await world.raw("secrets").call(`DELETE ${path}`);
  await world.raw("secrets").call(`POST ${path}`, { type });
}
