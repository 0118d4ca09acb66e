import * as z from "zod";
import { ProviderError } from "../../provider/core/errors";
import { row } from "../../provider/core/field";
import { isLike } from "../../provider/core/is-like";
import { isRecord } from "../../provider/core/unknowns";
import { vault } from "../../provider/dialects/vault";
import { isUnsupportedList } from "../../provider/engine/find-records";
import { inFlight } from "../../provider/engine/in-flight";
import { listCall } from "../../provider/engine/list-call";
import { messageOf } from "../../provider/engine/operation";
import { definitions } from "../../provider/resources";
import type { Entity } from "../stack/entities";
import {
  ENTITIES,
  LOGIN_COLLECTIONS,
  type LoginCollection,
  listPath,
  type NotLookedAt,
  onePath,
  TOKEN_ROLES,
} from "../stack/login-collections";
import { visibleLine } from "../text/visible-text";
import type { LiveRecord, Reader } from "./servers/search";

/** What gives policies on a server and is no resource of ours, such as an AppRole role. */
export interface OtherLogin {
  readonly name: string;
  /** `Role ci of auth/approle (approle)`. */
  readonly title: string;
  /** Who has a policy by it, in one sentence; undefined where nobody has. Absent where its record was not read. */
  readonly whoHas?: (policy: string) => string | undefined;
  /** Of an entity that was read. */
  readonly entity?: Entity | undefined;
}

export interface OtherLogins {
  readonly logins: readonly OtherLogin[];
  readonly notLookedAt: readonly NotLookedAt[];
}

/** A login makes an entity for each person and each job. */
const MOST_ENTITIES = 10_000;

/** Servers add it to the tokens of every login that does not refuse it. */
const DEFAULT_POLICY = "default";

interface Options {
  /** Requests at once. */
  readonly parallel: number;
  /** Of which the policies are read; the others are counted. */
  readonly reads: "all" | "entities" | "none";
  /** Behind the name of a place, such as ` of east`. */
  readonly where: string;
}

/** All that gives policies on a server beside resources of ours. What the token may not see is named: no answer depends on it alone. */
export async function otherLogins(
  reader: Reader,
  live: readonly LiveRecord[],
  { parallel, reads, where }: Options,
): Promise<OtherLogins> {
  const mounts = live
    .filter(({ definition }) => definition.token === definitions.sysAuthMount.token)
    .map(({ values }) => ({ path: String(values["path"]), type: String(values["type"]) }));
  const of = (type: string) => LOGIN_COLLECTIONS.filter((each) => each.type === type);
  const places = [
    ...mounts.flatMap((mount) => of(mount.type).map((collection) => ({ ...mount, collection }))),
    ...LOGIN_COLLECTIONS.filter(({ type, isMany = false }) => type === undefined && (reads === "all" || !isMany)).map(
      (collection) => ({ path: "", type: "", collection }),
    ),
  ];
  const unknown = mounts
    .filter(({ type }) => of(type).length === 0)
    .map(({ path, type }) => ({ what: `auth/${path} (${type})${where}` }));
  const found = await inFlight(places, parallel, (place) => loginsAt(reader, place, { reads, where, parallel }));
  return {
    logins: found.flatMap(({ logins }) => logins),
    notLookedAt: [...unknown, ...found.flatMap(({ notLookedAt }) => notLookedAt)],
  };
}

interface LoginPlace {
  readonly path: string;
  readonly type: string;
  readonly collection: LoginCollection;
}

async function loginsAt(
  reader: Reader,
  { path, type, collection }: LoginPlace,
  { reads, where, parallel }: Options,
): Promise<OtherLogins> {
  const at = `${path === "" ? "" : ` of auth/${path} (${type})`}${where}`;
  const asked = async (template: string, values: Readonly<Record<string, string>>) =>
    (await reader.call(listCall(NAMED, template), path === "" ? values : { path, ...values })).results["found"];
  const isOfEntities = collection.list === ENTITIES;
  const unread = (names: readonly string[], notLookedAt: NotLookedAt): OtherLogins => ({
    logins: collection.isMany ? [] : names.map((name) => ({ name, title: titleOf(name) })),
    notLookedAt: [isOfEntities ? { ...notLookedAt, isOfEntities } : notLookedAt],
  });
  const titleOf = (name: string) => `${collection.kind} ${visibleLine(name)}${at}`;
  // The request at its end says what was asked for.
  const reasonOf = (error: unknown) =>
    messageOf(error)
      .replace(/^listing \S+: /, "")
      .replace(/\.$/, "");
  try {
    const all = vault.names?.of(await asked(listPath(collection), {})) ?? [];
    const [names, others] = [all.filter(isAskable), all.filter((name) => !isAskable(name))];
    const count = `${all.length} ${all.length === 1 ? one(collection) : collection.many}${at}`;
    if (all.length === 0) return { logins: [], notLookedAt: [] };
    if (reads === "none" || (reads === "entities" && !isOfEntities)) return unread(names, { what: count });
    if (reads === "entities" && names.length > MOST_ENTITIES)
      return unread(names, { what: count, reason: `no more than ${MOST_ENTITIES} are read` });
    if (collection.hidden !== undefined) return unread(names, { what: count, reason: collection.hidden });
    try {
      const read = await inFlight(names, parallel, async (key): Promise<OtherLogin> => {
        const record = await asked(onePath(collection), { name: key });
        const entity = isOfEntities ? entityFrom(key, record) : undefined;
        const name = entity?.name ?? key;
        return {
          name,
          title: titleOf(name),
          ...(isRecord(record) ? { whoHas: whoHasBy(collection, record), entity } : {}),
        };
      });
      const lost = read.filter(({ whoHas }) => whoHas === undefined);
      const notLookedAt = [
        ...lost.map(({ title }) => ({ what: title, reason: "it was not found when it was read" })),
        ...others.map((name) => ({ what: titleOf(name), reason: "no path leads to a record of this name" })),
      ];
      return { logins: [...read, ...others.map((name) => ({ name, title: titleOf(name) }))], notLookedAt };
    } catch (error) {
      return unread(names, { what: count, reason: reasonOf(error) });
    }
  } catch (error) {
    if (isUnsupportedList(NAMED, error)) return { logins: [], notLookedAt: [] };
    return unread([], { what: `the ${collection.many}${at}`, reason: reasonOf(error) });
  }
}

const one = ({ kind }: LoginCollection) => kind.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** A name is taken as it is: groups of LDAP have blanks in theirs. */
const name = row<string>({ place: "path", wire: "", schema: z.string() });
const NAMED = { ...definitions.sysAuthMount, fields: { ...definitions.sysAuthMount.fields, name } };

/** False for a name that is no end of an address, such as that of a folder: a list shows none of what is in it. */
const isAskable = (name: string) =>
  name.isWellFormed() && !name.split("/").some((part) => ["", ".", ".."].includes(part));

/** @throws InputError where it is none: whether it had policies is not known. */
function entityFrom(id: string, record: unknown): Entity {
  if (!isRecord(record)) throw new ProviderError("InputError", `the entity ${id} was not found when it was read`);
  const aliases = [record["aliases"] ?? []].flat().filter(isRecord);
  return {
    id,
    name: String(record["name"]),
    policies: [record["policies"] ?? []].flat().map(String),
    isDisabled: record["disabled"] === true,
    aliases: aliases.map((alias) => ({ mount: String(alias["mount_path"]), name: String(alias["name"]) })),
  };
}

/** By the name of the method's older member, too. */
const MEMBERS = ["token_policies", "policies"];

function whoHasBy(
  { list }: LoginCollection,
  members: Readonly<Record<string, unknown>>,
): NonNullable<OtherLogin["whoHas"]> {
  const namesIn = (name: string) => [members[name] ?? []].flat().map((each) => String(each).toLowerCase());
  // Vault 1.21 refuses the logins and the tokens of such an entity.
  if (list === ENTITIES && members["disabled"] === true) return () => undefined;
  // Only records that make a token of their own have the member.
  const addsDefault = members["token_no_default_policy"] === false;
  if (list === TOKEN_ROLES) return (policy) => whoHasByTokenRole(policy, namesIn, addsDefault);
  const own = MEMBERS.flatMap(namesIn);
  return (policy) =>
    own.includes(policy) || (policy === DEFAULT_POLICY && addsDefault) ? "Whoever logs in by it." : undefined;
}

/**
 * With lists of what is allowed, or of what is not, a role gives policies that its caller does not have. Without any, a token has
 * no more than its parent, but for a caller with sudo (tried with Vault 1.21).
 */
function whoHasByTokenRole(policy: string, namesIn: (name: string) => readonly string[], addsDefault: boolean) {
  const isIn = (list: string) =>
    namesIn(list).includes(policy) || namesIn(`${list}_glob`).some((pattern) => isLike(pattern, policy));
  const isSet = (list: string) => [...namesIn(list), ...namesIn(`${list}_glob`)].length > 0;
  const who = "Whoever may create tokens with it";
  // Nobody but root gives it on.
  if (isIn("disallowed_policies") || policy === "root") return undefined;
  if (isIn("allowed_policies") || (policy === DEFAULT_POLICY && addsDefault)) return `${who}.`;
  if (isSet("allowed_policies")) return undefined;
  if (isSet("disallowed_policies")) return `${who}: it lets them have any policy that it does not disallow.`;
  return `${who}, where their own token has the policy, or may use sudo on auth/token/create.`;
}

/** Whether one of them gives this policy, and not every one. */
export function isNamedBy(logins: readonly OtherLogin[], policy: string): boolean {
  return logins.some((login) => holdersAmong([login], policy).length > holdersAmong([login], "").length);
}

/** Who of them gives a policy. The server takes names of policies in any case. */
export function holdersAmong(logins: readonly OtherLogin[], policy: string): readonly string[] {
  const wanted = policy.trim().toLowerCase();
  return logins.flatMap(({ title, whoHas }) => {
    const who = whoHas?.(wanted);
    return who === undefined ? [] : [`${title}: ${who}`];
  });
}
