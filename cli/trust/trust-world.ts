import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { isEmpty, picked } from "../../provider/core/canonical";
import type { Definition, Values, WireRecord } from "../../provider/core/definition";
import { ProviderError } from "../../provider/core/errors";
import { bodyOf, stateOf } from "../../provider/core/record";
import { requestPath } from "../../provider/core/template";
import { hasUnknown, isRecord, UNKNOWN } from "../../provider/core/unknowns";
import { definitions } from "../../provider/resources";
import type { JudgedRecord } from "../lint/judged-records";
import { issuerOf } from "./sentences";
import { createTwin, type Twin } from "./twin";

/** A role for logins, as the stack has it. */
export interface TrustRole {
  readonly mount: string;
  readonly name: string;
  readonly values: Values;
  /** Audience that a token of this role has when the test names none. */
  readonly audience: unknown;
  /** For logins through a browser. */
  readonly isBrowser: boolean;
}

/** What a stack wants, on a server in this process. Tokens are signed with a key of our own in place of the issuer's. */
export interface TrustWorld {
  readonly twin: Twin;
  readonly key: KeyObject;
  readonly roles: readonly TrustRole[];
  /** Policies whose text is known, by name. */
  readonly policies: ReadonlyMap<string, string>;
  /** The auth method's issuer and default role. */
  methodAt(mount: string): { readonly issuer: string | undefined; readonly defaultRole: string | undefined };
  /** Writes a role as another one, with other values. */
  putRole(name: string, role: TrustRole): Promise<void>;
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

/** @throws InputError for a record that the server refuses, or that is not known yet. */
export async function createTrustWorld(
  records: readonly JudgedRecord[],
  given: Readonly<Record<string, string>>,
  twin: Twin = createTwin(),
): Promise<TrustWorld> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = String(publicKey.export({ type: "spki", format: "pem" }));
  const put = (definition: Definition, values: Values) => written(twin, definition, values);
  const mounted = new Set<string>();
  const methods = new Map<string, Values>();
  const roles: TrustRole[] = [];
  const policies = new Map<string, string>(Object.entries(given));

  async function assureMethod(mount: string): Promise<void> {
    if (mounted.has(mount)) return;
    mounted.add(mount);
    await put(definitions.sysAuthMount, { path: mount, type: "jwt" });
  }
  const putRole = (name: string, { values }: TrustRole) => put(definitions.jwtRole, { ...values, name });

  for (const [name, policy] of policies) await put(definitions.sysPolicy, { name, policy });
  for (const definition of WRITTEN)
    for (const { values } of records.filter((record) => record.definition.token === definition.token)) {
      const mount = String(values["mount"] ?? values["path"] ?? "");
      if (definition === definitions.sysAuthMount) {
        if (!["jwt", "oidc"].includes(String(values["type"])) || mounted.has(mount)) continue;
        mounted.add(mount);
        await put(definition, picked(values, MOUNT_PROPERTIES));
      } else if (definition === definitions.jwtConfig) {
        await assureMethod(mount);
        methods.set(mount, values);
        await put(definition, withKey(values, pem));
      } else if (definition === definitions.jwtRole) {
        await assureMethod(mount);
        if (!methods.has(mount)) {
          methods.set(mount, {});
          await put(definitions.jwtConfig, withKey({ mount }, pem));
        }
        const role = asRole(mount, values);
        roles.push(role);
        await putRole(role.name, role);
      } else if (definition === definitions.identityGroup) {
        // Logins decide who is in an external group; who is in an internal one only the server knows.
        if (mounted.has(String(isRecord(values["alias"]) ? values["alias"]["mount"] : "")))
          await put(definition, values);
      } else {
        await put(definition, values);
        if (definition === definitions.sysPolicy) policies.set(String(values["name"]), String(values["policy"]));
      }
    }
  return {
    twin,
    key: privateKey,
    roles,
    policies,
    putRole,
    methodAt(mount) {
      const method = methods.get(mount) ?? {};
      const { defaultRole } = method;
      return { issuer: issuerOf(method), defaultRole: isEmpty(defaultRole) ? undefined : String(defaultRole) };
    },
  };
}

/** The configuration with our key in place of the issuer's: every other rule stays. */
function withKey(method: Values, pem: string): Values {
  const { mount, defaultRole } = method;
  return { mount, boundIssuer: issuerOf(method), defaultRole, jwtValidationPubkeys: [pem] };
}

/** The client of a login through a browser is not in its role: the audience stands for it. */
const BROWSER_CLIENT = "the-browser-client";

/** A login through a browser is judged by the claims of its ID token, as a login with that token. */
function asRole(mount: string, values: Values): TrustRole {
  const name = String(values["name"]);
  const audiences = Array.isArray(values["boundAudiences"]) ? values["boundAudiences"] : [];
  if (values["roleType"] === "jwt") return { mount, name, values, audience: audiences[0], isBrowser: false };
  const { allowedRedirectUris: _, oidcScopes: __, verboseOidcLogging: ___, ...rest } = values;
  const bound = { ...rest, roleType: "jwt", boundAudiences: [...audiences, BROWSER_CLIENT] };
  return { mount, name, values: bound, audience: BROWSER_CLIENT, isBrowser: true };
}

async function written(twin: Twin, definition: Definition, values: Values): Promise<void> {
  const { create, label } = definition;
  const title = `${definition.token.replace(":", ".")} ${String(values[label])}`;
  const unknown = Object.keys(values).filter((name) => values[name] === UNKNOWN || hasUnknown(values[name]));
  if (unknown.length > 0)
    throw new ProviderError(
      "InputError",
      `${title} cannot be tested: ${unknown.join(", ")} is secret, or not known yet.`,
    );
  const members = bodyOf(definition, values);
  const body = create.layout ? create.layout(members, {}) : members;
  const post = async (path: string, members: WireRecord) => {
    const { status, body: answer } = await twin.ask({ method: "POST", path, body: members });
    if (status < 300) return;
    const errors = Array.isArray(answer["errors"]) ? answer["errors"].join("; ") : `status ${status}`;
    throw new ProviderError("InputError", `${title} cannot be tested: the embedded server refuses it: ${errors}`);
  };
  await post(requestPath(create.path, values), body);
  const { attached } = definition;
  if (!attached || isEmpty(values[attached.property])) return;
  const dataAt = async (path: string) => {
    const { body: answer } = await twin.ask({ method: "GET", path: requestPath(path, values) });
    return isRecord(answer["data"]) ? answer["data"] : {};
  };
  const state = { ...stateOf(definition, await dataAt(definition.read.path), values), ...values };
  const found = attached.needs.find(await dataAt(attached.needs.path), values);
  if (found === undefined)
    throw new ProviderError("InputError", `${title} cannot be tested: ${attached.needs.missing(values)}`);
  await post(requestPath(attached.write.path, state), attached.write.members(state, found));
}
