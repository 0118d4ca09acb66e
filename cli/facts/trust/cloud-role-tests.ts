import { isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import type { EvaluatedRecord } from "../../stack/evaluated-records";
import { setDifference } from "../../text/lists";
import { contentOf, credentialPathsOf } from "./cloud-changes";
import { capabilitiesOf, namesOf, unknownPolicies } from "./judge";
import { shownName } from "./not-shown";
import { listOf } from "./sentences";
import { isTemplated, mayMeet, rulesOf } from "./templated-rules";
import type { CloudRoleTest } from "./trust-file";
import type { TrustWorld } from "./trust-world";

/** What each list of a cloud role holds, for sentences. */
const LISTS = { roleArns: "the role", policyArns: "the cloud policy", iamGroups: "the cloud group" } as const;

/** What differs from what a test of a cloud role expects, in sentences. */
export async function cloudRoleProblems(
  world: TrustWorld,
  records: readonly EvaluatedRecord[],
  { cloudRole: { mount, role }, expect }: CloudRoleTest,
): Promise<string[]> {
  const isNamed = ({ values }: EvaluatedRecord) => values["mount"] === mount && values["name"] === role;
  const found = [definitions.cloudRole, definitions.cloudStaticRole].flatMap(({ token }) =>
    records.filter((record) => record.definition.token === token && isNamed(record)),
  );
  if (found.length === 0) return [`the stack has no role ${role} at ${mount}`];
  const { policies } = expect;
  return [
    ...found.flatMap(({ definition, values }) => handedOutProblems(definition.rewrite?.(values) ?? values, expect)),
    ...(policies === undefined ? [] : await askerProblems(world, records, { paths: pathsOf(found), policies })),
  ];
}

function handedOutProblems(values: Values, expected: CloudRoleTest["expect"]): string[] {
  const { credentialType } = expected;
  const lists = Object.entries(LISTS).flatMap(([property, what]) => {
    // Each list of the test has the name of the property.
    const wanted = expected[property as keyof typeof LISTS];
    if (wanted === undefined) return [];
    if (hasUnknown(values[property])) return [`${property} is secret, or not known yet`];
    const { missing, more } = setDifference(listOf(values[property]).map(String), wanted);
    return [
      ...missing.map((each) => `it does not hand out ${what} ${each}`),
      ...more.map((each) => `it also hands out ${what} ${each}`),
    ];
  });
  const type = String(values["credentialType"]);
  return [
    ...documentProblems(values, expected),
    ...(credentialType === undefined || type === credentialType
      ? []
      : [`it hands out ${type}, expected ${credentialType}`]),
    ...lists,
  ];
}

/** Credentials of these types may also do what the document of the role allows; it narrows those of a role that is assumed. */
const WIDENED = ["iam_user", "federation_token"];

/** A test of all that is handed out knows of the document that is part of the role. */
function documentProblems(
  { policyDocument, credentialType }: Values,
  { policyDocument: wanted, ...lists }: CloudRoleTest["expect"],
): string[] {
  if (wanted === undefined) {
    const isWhole = Object.keys(LISTS).some((property) => lists[property as keyof typeof LISTS] !== undefined);
    const isWider = hasUnknown(credentialType) || WIDENED.includes(String(credentialType));
    return isWhole && isWider && !isEmpty(policyDocument)
      ? ["it also hands out what its policy document allows: a test of all of it says policyDocument"]
      : [];
  }
  if (hasUnknown(policyDocument)) return ["policyDocument is secret, or not known yet"];
  return contentOf(policyDocument || {}) === contentOf(wanted) ? [] : ["it has another policy document"];
}

const pathsOf = (roles: readonly EvaluatedRecord[]) => roles.flatMap(({ values }) => credentialPathsOf(values));

/** With one of them, a token gets credentials. */
const ENOUGH = ["read", "update", "root"];

interface Askers {
  readonly paths: readonly string[];
  readonly policies: readonly string[];
}

/** The server says what a token with each policy may. */
async function askerProblems(
  world: TrustWorld,
  records: readonly EvaluatedRecord[],
  { paths, policies: expected }: Askers,
): Promise<string[]> {
  const listed = records.flatMap(({ definition, values }) => {
    if (definition.token === definitions.jwtRole.token) return listOf(values["tokenPolicies"]);
    return definition.token === definitions.identityGroup.token ? listOf(values["policies"]) : [];
  });
  if (hasUnknown(listed))
    return [
      "who gets the credentials cannot be told: a role or a group has policies that are secret, or not known yet",
    ];
  const given = listed.map(String);
  const hidden = world.hidden.filter(({ definition }) => definition.token === definitions.sysPolicy.token);
  const unknown = [...new Set([...given, ...hidden.map(({ values }) => shownName(values["name"]))])].filter(
    (name) => !["default", "root"].includes(name) && !world.policies.has(name),
  );
  if (unknown.length > 0) return [unknownPolicies(unknown)];
  const filled = [...world.policies].find(([, text]) =>
    rulesOf(text).some(
      (rule) =>
        isTemplated(rule) &&
        rule.capabilities.some((word) => ENOUGH.includes(word)) &&
        paths.some((path) => mayMeet(rule, path)),
    ),
  );
  if (filled !== undefined)
    return [
      `it cannot be told whether a token gets the credentials with policy ${filled[0]}: the server fills in a path of it`,
    ];
  const able: string[] = given.includes("root") ? ["root"] : [];
  for (const name of world.policies.keys()) if (await mayAsk(world, name, paths)) able.push(name);
  const { missing, more } = setDifference(able, expected);
  return [
    ...(missing.length === 0 ? [] : [`no token gets the credentials with ${namesOf(missing)}`]),
    ...(more.length === 0 ? [] : [`a token also gets the credentials with ${namesOf(more)}`]),
  ];
}

async function mayAsk(world: TrustWorld, policy: string, paths: readonly string[]): Promise<boolean> {
  const { body } = await world.simulated.ask({
    method: "POST",
    path: "auth/token/create",
    body: { policies: [policy], no_default_policy: true },
  });
  const token = isRecord(body["auth"]) ? String(body["auth"]["client_token"]) : "";
  const words = [...(await capabilitiesOf(world, token, paths)).values()].flat();
  return words.some((word) => ENOUGH.includes(word));
}
