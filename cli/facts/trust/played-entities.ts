import { isRecord } from "../../../provider/core/unknowns";
import type { Entities, Entity } from "../../stack/entities";
import { visibleLine } from "../../text/visible-text";
import type { SimulatedServer } from "./simulated-server";
import { type UntoldEntities, unreadEntities } from "./unclear-groups";
import { authMountName, lowerName } from "./vault-names";

/** The user of an auth method who gets policies by an entity. */
export interface EntityUser {
  readonly mount: string;
  readonly user: string;
  readonly policies: readonly string[];
  /** `the entity alice (identity/entity/id/…)`. */
  readonly title: string;
}

export interface PlayedEntities {
  readonly users: readonly EntityUser[];
  readonly untold: readonly UntoldEntities[];
}

/** Puts the entities that have a user of these auth methods into the world: its logins then give their policies. */
export async function playEntities(
  simulated: SimulatedServer,
  { known, unread }: Entities,
  mounts: ReadonlySet<string>,
): Promise<PlayedEntities> {
  const users: EntityUser[] = [];
  const untold = [...unreadEntities(unread)];
  if (known.length === 0) return { users, untold };
  const accessors = await accessorsIn(simulated);
  const write = async (path: string, body: object) => {
    const { status, body: answer } = await simulated.ask({ method: "POST", path, body: { ...body } });
    return { isDone: status < 300, id: isRecord(answer["data"]) ? answer["data"]["id"] : undefined };
  };
  const taken = new Set<string>();
  for (const entity of known) {
    const aliases = entity.aliases
      .map(({ mount, name }) => ({ mount: authMountName(mount), user: name }))
      .filter(({ mount }) => mounts.has(mount));
    if (aliases.length === 0) continue;
    const policies = entity.policies.map(lowerName);
    // Without its name, which an entity of another server may have, too.
    const made = await write("identity/entity", { policies, disabled: entity.isDisabled });
    for (const { mount, user } of aliases) {
      const key = JSON.stringify([mount, lowerName(user)]);
      const alias = { name: user, canonical_id: made.id, mount_accessor: accessors.get(mount) };
      if (made.isDone && !taken.has(key) && (await write("identity/entity-alias", alias)).isDone) {
        taken.add(key);
        users.push({ mount, user, policies, title: titleOf(entity) });
      } else untold.push({ reason: `${titleOf(entity)} cannot be tested beside the others` });
    }
  }
  return { users, untold };
}

const titleOf = ({ name, id }: Entity) => `the entity ${visibleLine(name)} (identity/entity/id/${id})`;

async function accessorsIn(simulated: SimulatedServer): Promise<ReadonlyMap<string, unknown>> {
  const { body } = await simulated.ask({ method: "GET", path: "sys/auth" });
  const mounts = Object.entries(isRecord(body["data"]) ? body["data"] : {});
  return new Map(mounts.map(([path, mount]) => [authMountName(path), isRecord(mount) ? mount["accessor"] : undefined]));
}
