import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { isEmpty, picked } from "../../../provider/core/canonical";
import type { Definition, Values, WireRecord } from "../../../provider/core/definition";
import { ProviderError } from "../../../provider/core/errors";
import { bodyOf, stateOf } from "../../../provider/core/record";
import { requestPath } from "../../../provider/core/template";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import type { Entities } from "../../stack/entities";
import type { EvaluatedRecord } from "../../stack/evaluated-records";
import { type BrowserRules, browserRules } from "./browser-login";
import { type HiddenRecord, hiddenRecord, titleOfRecord } from "./hidden-records";
import { type EntityUser, playEntities } from "./played-entities";
import { withoutDoubles } from "./records-of-one-path";
import { issuerFor, listOf } from "./sentences";
import { createSimulatedServer, type SimulatedServer } from "./simulated-server";
import { type Unclear, unclearGroups } from "./unclear-groups";

/** A role for logins, as the stack has it. */
export interface TrustRole {
  readonly mount: string;
  readonly name: string;
  readonly values: Values;
  /** Audience that a token of this role has when the test names none. */
  readonly audience: unknown;
  /** Of a role for logins through a browser. */
  readonly browser: BrowserRules | undefined;
  /** The issuer that a token must name; undefined where any will do. */
  readonly issuer: string | undefined;
  /** Why it cannot be told who gets in; undefined where it can. */
  readonly untoldDemand: string | undefined;
  /** Whether the server asks the provider, not the token, in which groups a login is. */
  readonly asksForGroups: boolean;
}

export interface TrustGroup {
  /** The auth method whose tokens name the group. */
  readonly mount: string;
  readonly name: string;
  readonly alias: string;
  readonly policies: readonly unknown[];
}

export interface TrustMethod {
  /** Whether its configuration is among the records. */
  readonly isKnown: boolean;
  readonly defaultRole: string | undefined;
  /** Of tokens for roles for JWTs. */
  readonly boundIssuer: string | undefined;
  /** Undefined where the stack does not say them. */
  readonly algorithms: readonly string[] | undefined;
}

/** What a stack wants, on a server in this process. Tokens are signed with a key of our own in place of the issuer's. */
export interface TrustWorld {
  readonly simulated: SimulatedServer;
  readonly key: KeyObject;
  readonly roles: readonly TrustRole[];
  /** Groups in which a login is by its claim of groups. */
  readonly groups: readonly TrustGroup[];
  /** Users who get policies by an entity of a live server. */
  readonly users: readonly EntityUser[];
  /** Groups in which any login may be, and entities that any login may be. */
  readonly unclear: readonly Unclear[];
  /** Policies whose text is known, by name: also `default`, that of the stack or the built-in one. */
  readonly policies: ReadonlyMap<string, string>;
  /** What the stack has and this world has not, because a part of it is hidden. */
  readonly hidden: readonly HiddenRecord[];
  /** The configuration of an auth method; no algorithms where all are taken. */
  methodAt(mount: string): TrustMethod;
  /** Writes a role as another one, with other values. */
  putRole(name: string, role: TrustRole): Promise<void>;
}

export interface WorldOptions {
  readonly simulated?: SimulatedServer;
  /** Of live servers. A stack has none. */
  readonly entities?: Entities | undefined;
  /** What is around these records: a group of another namespace may have their logins as members. */
  readonly around?: readonly EvaluatedRecord[];
}

/** What logins are decided by. Of secrets only the paths count, which policies name. */
const WRITTEN: readonly Definition[] = [
  definitions.sysAuthMount,
  definitions.jwtConfig,
  definitions.sysPolicy,
  definitions.jwtRole,
  definitions.identityGroup,
];

/** What of a mount has a part in its logins. */
const MOUNT_PROPERTIES = ["path", "type", "defaultLeaseTtl", "maxLeaseTtl", "tokenType"];

/** @throws InputError for a record that the server refuses. */
export async function createTrustWorld(
  all: readonly EvaluatedRecord[],
  given: Readonly<Record<string, string>>,
  { simulated = createSimulatedServer(), entities = { known: [], unread: [] }, around = all }: WorldOptions = {},
): Promise<TrustWorld> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = String(publicKey.export({ type: "spki", format: "pem" }));
  const { records, hidden } = withoutDoubles(all);
  /** Answers whether the record is played. */
  const put = async (definition: Definition, values: Values) => {
    const unplayed = hiddenRecord(definition, values);
    if (unplayed === undefined) await written(simulated, definition, values);
    else hidden.push(unplayed);
    return unplayed === undefined;
  };
  const mounted = new Set<string>();
  const methods = new Map<string, Values>();
  const roles: TrustRole[] = [];
  const groups: TrustGroup[] = [];
  const policies = new Map<string, string>(Object.entries(given));

  async function assureMethod(mount: string): Promise<void> {
    if (mounted.has(mount)) return;
    mounted.add(mount);
    await put(definitions.sysAuthMount, { path: mount, type: "jwt" });
  }
  const putRole = (name: string, role: TrustRole) => written(simulated, definitions.jwtRole, { ...role.values, name });

  for (const [name, policy] of policies) await put(definitions.sysPolicy, { name, policy });
  for (const definition of WRITTEN)
    for (const { values } of records.filter((record) => record.definition.token === definition.token)) {
      const mount = String(values["mount"] ?? values["path"] ?? "");
      if (definition === definitions.sysAuthMount) {
        const own = picked(values, MOUNT_PROPERTIES);
        const isOther = !hasUnknown(values["type"]) && !["jwt", "oidc"].includes(String(values["type"]));
        if (!isOther && !mounted.has(mount) && (await put(definition, own))) mounted.add(mount);
      } else if (definition === definitions.jwtConfig) {
        await assureMethod(mount);
        if (await put(definition, withKey(values, pem))) methods.set(mount, values);
      } else if (definition === definitions.jwtRole) {
        const unplayed = hiddenRecord(definition, values);
        if (unplayed) {
          hidden.push(unplayed);
          continue;
        }
        await assureMethod(mount);
        if (!methods.has(mount)) {
          methods.set(mount, {});
          await put(definitions.jwtConfig, withKey({ mount }, pem));
        }
        const role = asRole(mount, values, methods.get(mount) ?? {});
        roles.push(role);
        await putRole(role.name, role);
      } else if (definition === definitions.identityGroup) {
        // Logins decide who is in an external group; who is in an internal one only the server knows.
        const { alias } = values;
        if (!hasUnknown(alias) && !(isRecord(alias) && mounted.has(String(alias["mount"])))) continue;
        if ((await put(definition, values)) && isRecord(alias))
          groups.push({
            mount: String(alias["mount"]),
            name: String(values["name"]),
            alias: String(alias["name"]),
            policies: listOf(values["policies"]),
          });
      } else if (await put(definition, values)) policies.set(String(values["name"]), String(values["policy"]));
    }
  const isOwnDefault = ({ definition, values }: HiddenRecord) =>
    definition.token === definitions.sysPolicy.token && values["name"] === "default";
  if (!policies.has("default") && !hidden.some(isOwnDefault)) policies.set("default", await defaultPolicy(simulated));
  const { users, untold } = await playEntities(simulated, entities, mounted);
  return {
    simulated,
    key: privateKey,
    roles,
    groups,
    users,
    unclear: [...unclearGroups(around), ...untold],
    policies,
    hidden,
    putRole,
    methodAt(mount) {
      const method = methods.get(mount) ?? {};
      const textOf = (value: unknown) => (isEmpty(value) ? undefined : String(value));
      return {
        isKnown: !isEmpty(method),
        defaultRole: textOf(method["defaultRole"]),
        boundIssuer: textOf(method["boundIssuer"]),
        algorithms:
          isEmpty(method) || hasUnknown(method["jwtSupportedAlgs"])
            ? undefined
            : listOf(method["jwtSupportedAlgs"]).map(String),
      };
    },
  };
}

/** The configuration with our key in place of the issuer's: every other rule stays. */
function withKey(method: Values, pem: string): Values {
  const { mount, boundIssuer, defaultRole } = method;
  return { mount, boundIssuer, defaultRole, jwtValidationPubkeys: [pem] };
}

/** A login through a browser is judged by the claims of its ID token, as a login with that token. */
function asRole(mount: string, given: Values, method: Values): TrustRole {
  const { groupsClaim, ...others } = given;
  const name = String(others["name"]);
  const audiences = listOf(others["boundAudiences"]);
  const asksForGroups = !isEmpty(groupsClaim) && isAskedForGroups(method);
  // Then the token's claim says nothing, and need not be there.
  const values = asksForGroups ? others : given;
  const untoldDemand = asksForGroups ? untoldGroups(values) : undefined;
  const known = { mount, name, untoldDemand, asksForGroups };
  if (values["roleType"] === "jwt") {
    const issuer = issuerFor(values, method);
    return { ...known, values, audience: audiences[0], browser: undefined, issuer };
  }
  const { allowedRedirectUris: _, oidcScopes: __, verboseOidcLogging: ___, maxAge: ____, ...rest } = values;
  const browser = browserRules(values, method);
  const bound = { ...rest, roleType: "jwt", boundAudiences: [...audiences, browser.clientId] };
  return { ...known, values: bound, audience: browser.clientId, browser, issuer: browser.issuer };
}

/** Why the policies of a login cannot be told, by the names that claims fill in; undefined where there is none. */
export function untoldPolicies([filled]: readonly string[]): string | undefined {
  return filled && `it cannot be told which policies a token has: the server fills in the name ${filled}`;
}

/** What the provider says takes the place of the token's claim before it is compared. */
function untoldGroups({ boundClaims }: Values): string | undefined {
  const isAsked = isRecord(boundClaims) && ["groups", "/groups"].some((claim) => claim in boundClaims);
  return isAsked || hasUnknown(boundClaims)
    ? "it cannot be told who gets in: the role demands groups, and the server asks the provider for them"
    : undefined;
}

/** Whatever the token says (provider_config of https://developer.hashicorp.com/vault/docs/auth/jwt/oidc-providers/google). */
export function isAskedForGroups({ providerConfig }: Values): boolean {
  if (isEmpty(providerConfig)) return false;
  if (hasUnknown(providerConfig)) return true;
  return isRecord(providerConfig) && providerConfig["provider"] === "gsuite" && fetchesGroups(providerConfig);
}

const fetchesGroups = ({ fetch_groups: fetches }: Values) => fetches === true || String(fetches) === "true";

async function defaultPolicy(simulated: SimulatedServer): Promise<string> {
  const { body } = await simulated.ask({ method: "GET", path: "sys/policies/acl/default" });
  return isRecord(body["data"]) ? String(body["data"]["policy"]) : "";
}

async function written(simulated: SimulatedServer, definition: Definition, values: Values): Promise<void> {
  const { create } = definition;
  const title = titleOfRecord(definition, values);
  const members = bodyOf(definition, values);
  const body = create.layout ? create.layout(members, {}) : members;
  const post = async (path: string, members: WireRecord) => {
    const { status, body: answer } = await simulated.ask({ method: "POST", path, body: members });
    if (status < 300) return;
    const errors = Array.isArray(answer["errors"]) ? answer["errors"].join("; ") : `status ${status}`;
    throw new ProviderError("InputError", `${title} cannot be tested: the embedded server refuses it: ${errors}`);
  };
  await post(requestPath(create.path, values), body);
  const { attached } = definition;
  if (!attached || isEmpty(values[attached.property])) return;
  const dataAt = async (path: string) => {
    const { body: answer } = await simulated.ask({ method: "GET", path: requestPath(path, values) });
    return isRecord(answer["data"]) ? answer["data"] : {};
  };
  const state = { ...stateOf(definition, await dataAt(definition.read.path), values), ...values };
  const found = attached.needs.find(await dataAt(attached.needs.path), values);
  if (found === undefined)
    throw new ProviderError("InputError", `${title} cannot be tested: ${attached.needs.missing(values)}`);
  await post(requestPath(attached.write.path, state), attached.write.members(state, found));
}
