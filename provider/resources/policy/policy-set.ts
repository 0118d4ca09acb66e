import * as z from "zod";
import { canonicalText, isEmpty } from "../../core/canonical";
import { defineResource, type Values, type WireRecord } from "../../core/definition";
import { type Field, isUnset, leftToOthers, required, row } from "../../core/field";
import { boolean, oneOf, segment, string, stringSet } from "../../core/rows";
import { needs, rule } from "../../core/rules";
import { isRecord } from "../../core/unknowns";
import { byIdOr } from "./by-id-or";
import { vcsRepo, wholeRepo } from "./vcs-repo";

export type { VcsRepo } from "./vcs-repo";

/** The server's ids of policy sets, and what a message calls them. */
export const POLICY_SET_ID = /^polset-[A-Za-z0-9]{16}$/;
export const POLICY_SET_IDS = "`polset-` followed by 16 letters or digits";

const NAME = /^[\w-]+$/;
const NAMES = "letters, digits, hyphens and underscores";

const fields = {
  /** Organization that has the policy set. @source terraform/policy-sets create */
  organization: required(segment(NAME, NAMES)),
  /** Name of the policy set, unique in its organization. @source terraform/policy-sets create */
  name: required(named("name")),
  /** Text that says what the policy set is for, in Markdown. @source terraform/policy-sets create */
  description: nullable("description"),
  /** Language of the policies. @source terraform/policy-sets create */
  kind: oneOf("kind", ["sentinel", "opa"], "sentinel"),
  /** Apply to all workspaces of the organization. @source terraform/policy-sets create */
  global: boolean("global"),
  /** Evaluate the policies in the agent, as `opa` policies always are. @source terraform/policy-sets create */
  agentEnabled: boolean("agent-enabled"),
  /** Version of the language's program that evaluates the policies. Needed with `agentEnabled`; `latest` is the newest of each day. @source terraform/policy-sets create */
  policyToolVersion: version("policy-tool-version"),
  /** Allow users to override a failed policy in a run. Only with `agentEnabled`. @source terraform/policy-sets create */
  overridable: boolean("overridable"),
  /** Repository from which the server takes the policies. Without one they are managed one by one, or uploaded. @source terraform/policy-sets create */
  vcsRepo: vcsRepo("vcs-repo"),
  /** Folder of the repository that has the policies. Only with `vcsRepo`. @source terraform/policy-sets create */
  policiesPath: nullable("policies-path"),
  /** Ids of the workspaces to which the policy set applies. Not for a `global` one. @source terraform/policy-sets update */
  workspaceIds: related("workspaces", "workspaces", "ws"),
  /** Ids of the projects to which the policy set applies. Not for a `global` one. @source terraform/policy-sets update */
  projectIds: related("projects", "projects", "prj"),
  /** Ids of the workspaces to which the policy set does not apply, whatever else says that it does. @source terraform/policy-sets update */
  workspaceExclusionIds: related("workspace-exclusions", "workspaces", "ws"),
};

const outputs = {
  /** The server's id of the policy set, as parameters want it. @source terraform/policy-sets create */
  policySetId: required<string>({ ...segment(POLICY_SET_ID, POLICY_SET_IDS), place: "body", wire: "id" }),
};

const collection = "organizations/{organization}/policy-sets";
const record = "policy-sets/{policySetId}";

export const policyPolicySet = defineResource({
  token: "policy:PolicySet",
  dialect: "tfe",
  fields,
  outputs,
  id: "{organization}/{policySetId}",
  label: "name",
  identity: ["organization"],
  stable: ["policySetId"],
  replaceOn: ["kind"],
  // A repeated request could make a second set: a lost answer is found by the name.
  create: { method: "POST", path: collection, sends: "everything", layout: setMembers, mints: true },
  update: { method: "PATCH", path: record, sends: "changes", layout: changeableMembers },
  read: { path: `${collection}?page%5Bsize%5D=100`, pick: byIdOr("policySetId", "name") },
  delete: { method: "DELETE", path: record },
  adopt: { by: ["name", "kind"] },
  rules: [
    rule(["agentEnabled", "kind"], ({ agentEnabled, kind }) =>
      kind === "opa" && agentEnabled !== true ? "must be true when kind is opa: OPA runs only in the agent" : undefined,
    ),
    rule(["policyToolVersion", "agentEnabled"], ({ policyToolVersion, agentEnabled }) => {
      if (isEmpty(policyToolVersion) === (agentEnabled !== true)) return undefined;
      return agentEnabled === true
        ? "must be set when agentEnabled is true"
        : "is only valid when agentEnabled is true";
    }),
    rule(["overridable", "agentEnabled"], ({ overridable, agentEnabled }) =>
      overridable === true && agentEnabled !== true ? "is only valid when agentEnabled is true" : undefined,
    ),
    wholeRepo,
    needs("policiesPath", "vcsRepo"),
    ...(["workspaceIds", "projectIds"] as const).map((name) =>
      rule([name, "global"], (values) =>
        values["global"] === true && !isEmpty(values[name]) ? "cannot be set when global is true" : undefined,
      ),
    ),
  ],
});

/** What the program sets, and what it resets: some members are refused beside others, even when they are empty. */
function setMembers(members: WireRecord, live: Values): WireRecord {
  const isMeant = ([name, { wire, empty }]: [string, Field]) =>
    wire in members &&
    (!isUnset(fieldNamed(name), live[name]) || canonicalText(members[wire]) !== canonicalText(empty));
  return Object.fromEntries(
    Object.entries<Field>(fields)
      .filter(isMeant)
      .map(([, { wire }]) => [wire, members[wire]]),
  );
}

/** The same of a set that is taken over, without what an update cannot change. */
function changeableMembers(members: WireRecord, live: Values): WireRecord {
  const { [fields.kind.wire]: _, ...changeable } = setMembers(members, live);
  return changeable;
}

function fieldNamed(name: string): Field {
  // The names are those of the table.
  return fields[name as keyof typeof fields];
}

function named(wire: string): Field<string, false> {
  return {
    ...string(wire),
    schema: z.string({ error: "must be a string" }).regex(NAME, { error: `must be ${NAMES}` }),
  };
}

/** Text that the server keeps as null where there is none. */
function nullable(wire: string): Field<string, false> {
  return { ...string(wire), empty: null };
}

function version(wire: string): Field<string, false> {
  const error = "must be a version such as `0.40.0`, or `latest`";
  const words = z.string({ error: "must be a string" }).regex(/^(\d[\w.+-]*|latest)$/, { error });
  return { ...nullable(wire), schema: words };
}

/** Ids of other records; on the wire a relationship. */
function related(relationship: string, type: string, prefix: string): Field<string[], false> {
  const error = `must be \`${prefix}-\` followed by letters or digits`;
  const ids = stringSet(
    `relationships/${relationship}`,
    z.string().regex(new RegExp(`^${prefix}-[A-Za-z0-9]+$`), { error }),
  );
  return leftToOthers(
    row<string[]>({
      ...ids,
      empty: { data: [] },
      encode: (values) => ({ data: values.map((id) => ({ id, type })) }),
      decode: (answer) => idsIn(answer),
    }),
  );
}

function idsIn(answer: unknown): string[] | undefined {
  const list = isRecord(answer) ? answer["data"] : undefined;
  return Array.isArray(list) ? list.filter(isRecord).map(({ id }) => String(id)) : undefined;
}
