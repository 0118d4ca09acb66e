import { isLike } from "../../provider/core/is-like";
import { isRecord } from "../../provider/core/unknowns";
import { vault } from "../../provider/dialects/vault";
import { isUnsupportedList } from "../../provider/engine/find-records";
import { inFlight } from "../../provider/engine/in-flight";
import { listCall } from "../../provider/engine/list-call";
import { messageOf } from "../../provider/engine/operation";
import { definitions } from "../../provider/resources";
import { LOGIN_COLLECTIONS, type LoginCollection, listPath, onePath } from "./login-collections";
import type { LiveRecord, Reader } from "./servers/search";

/** What gives policies on a server and is no resource of ours, such as an AppRole role. */
export interface OtherLogin {
  /** `Role ci of auth/approle (approle)`. */
  readonly title: string;
  /** Those of a token role may be patterns. */
  readonly policies: readonly string[];
}

export interface OtherLogins {
  readonly logins: readonly OtherLogin[];
  readonly notLookedAt: readonly NotLookedAt[];
}

export interface NotLookedAt {
  /** `2 roles of auth/machines (approle)`. */
  readonly what: string;
  /** Absent where nobody wanted to look. */
  readonly reason?: string;
}

/** The same in a sentence. */
export function notLookedAtText({ what, reason }: NotLookedAt): string {
  return `not looked at: ${what}${reason === undefined ? "" : `: ${reason}`}`;
}

interface Options {
  /** Requests at once. */
  readonly parallel: number;
  /** Read the policies of each; otherwise they are counted. */
  readonly reads: boolean;
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
    ...LOGIN_COLLECTIONS.filter(({ type }) => type === undefined).map((collection) => ({
      path: "",
      type: "",
      collection,
    })),
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
  const nothing = (notLookedAt: NotLookedAt): OtherLogins => ({ logins: [], notLookedAt: [notLookedAt] });
  // The request at its end says what was asked for.
  const reasonOf = (error: unknown) =>
    messageOf(error)
      .replace(/^listing \S+: /, "")
      .replace(/\.$/, "");
  try {
    const names = vault.names?.of(await asked(listPath(collection), {})) ?? [];
    const count = `${names.length} ${names.length === 1 ? one(collection) : collection.many}${at}`;
    if (names.length === 0) return { logins: [], notLookedAt: [] };
    if (!reads) return nothing({ what: count });
    if (collection.hidden !== undefined) return nothing({ what: count, reason: collection.hidden });
    try {
      const logins = await inFlight(names, parallel, async (name) => ({
        title: `${collection.kind} ${name}${at}`,
        policies: policiesIn(await asked(onePath(collection), { name })),
      }));
      return { logins, notLookedAt: [] };
    } catch (error) {
      return nothing({ what: count, reason: reasonOf(error) });
    }
  } catch (error) {
    if (isUnsupportedList(NAMED, error)) return { logins: [], notLookedAt: [] };
    return nothing({ what: `the ${collection.many}${at}`, reason: reasonOf(error) });
  }
}

const one = ({ kind }: LoginCollection) => kind.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** A name is taken as the path of a mount is: as it is. */
const { path } = definitions.sysAuthMount.fields;
const NAMED = { ...definitions.sysAuthMount, fields: { ...definitions.sysAuthMount.fields, name: path } };

/** By the name of the method's older member, too. */
const MEMBERS = ["token_policies", "policies", "allowed_policies", "allowed_policies_glob"];

function policiesIn(record: unknown): readonly string[] {
  const members: Readonly<Record<string, unknown>> = isRecord(record) ? record : {};
  return MEMBERS.flatMap((name) => members[name] ?? []).map(String);
}

/** Who of them gives a policy. The server takes names of policies in any case. */
export function holdersAmong(logins: readonly OtherLogin[], policy: string): readonly string[] {
  const wanted = policy.toLowerCase();
  return logins
    .filter(({ policies }) => policies.some((each) => isLike(each.toLowerCase(), wanted)))
    .map(({ title }) => `${title}: Whoever logs in by it.`);
}
