import { randomBytes } from "node:crypto";
import { canonicalText } from "../../../provider/core/canonical";
import { fingerprint } from "../../../provider/core/fingerprint";
import { asSecret } from "../../../provider/core/secret-envelope";
import { INCOMPLETE } from "../../../provider/core/state-names";
import { isRecord, UNKNOWN } from "../../../provider/core/unknowns";
import {
  FINGERPRINTS_ATTRIBUTE,
  INCOMPLETE_ATTRIBUTE,
  type ResourceTable,
} from "../../../provider/hosts/terraform/table";
import { otherProvider } from "../../stack/not-compared";
import { type Preview, previewOf, type RawStep, type RecordedState, unknownAction } from "../../stack/preview";
import { isOwnType } from "../../stack/resource-type";
import { terraformTable } from "../../stack/terraform-tables";
import { own } from "../../text/own-member";
import { instanceValues, markedAttributes } from "./instance-values";
import { recordsIn, type StateObject, shownObjects } from "./state";
import type { TerraformJson } from "./terraform-json";

type Json = Readonly<Record<string, unknown>>;

/** Reads what `terraform show -json` prints of a saved plan. Its variables and its program are not looked at: they hold secrets. */
export function planPreview({ content }: TerraformJson): Preview {
  const changes = recordsIn(content["resource_changes"]).filter(isManaged);
  const planned = new Set(changes.map(({ address }) => address));
  const before = isRecord(content["prior_state"]) ? content["prior_state"]["values"] : undefined;
  // A plan that is whole has a change, if only "no-op", for every object of the state. OpenTofu does not say whether it is whole.
  const others = shownObjects(before).filter((each) => !each.isDeposed && !planned.has(each.address));
  const hasFailed = content["errored"] === true;
  const isPart = content["complete"] === false && !hasFailed;
  const isRefresh = changes.length === 0 && !isPart && !hasFailed;
  const steps = isRefresh ? refreshSteps(others, recordsIn(content["resource_drift"])) : changes.flatMap(stepOf);
  const failure = "terraform plan failed, so some changes are missing from its plan";
  const leftOut = isRefresh || hasFailed ? 0 : others.filter(({ type }) => isOwnType(type)).length;
  const isDeferred = recordsIn(content["deferred_changes"]).length > 0;
  return {
    ...previewOf(steps, hasFailed ? [{ message: failure, severity: "error" }] : [], {
      same: steps.filter(({ op }) => op === "same").length,
    }),
    unlisted: leftOut,
    ...(isPart || leftOut > 0 ? { part: isDeferred ? "deferred" : "targets" } : {}),
  };
}

const isManaged = ({ mode }: Json) => mode === "managed";

/** A plan of `-refresh-only` has no changes: servers stay as the state beside it has them, and it says what that state had before. */
function refreshSteps(objects: readonly StateObject[], drift: readonly Json[]): readonly RawStep[] {
  const drifted = drift
    .filter(isManaged)
    .flatMap(stepOf)
    .filter(({ op }) => op !== "same");
  const urns = new Set(drifted.map(({ urn }) => urn));
  return [
    ...drifted.map((step) => ({ ...step, op: "drift" })),
    ...objects.filter(({ address }) => !urns.has(address)).map(sameStep),
  ];
}

function sameStep({ address, type, provider, instance }: StateObject): RawStep {
  const { values, sensitive } = instance();
  const table = terraformTable(type);
  const side = sideOf(table, values, sensitive);
  const of = isOwnType(type) ? {} : { other: otherProvider(provider) };
  return { op: "same", urn: address, old: side, new: side, differing: [], paths: [], replacing: [], ...of };
}

/** By Terraform's actions, and those of OpenTofu. A data source is only read. */
const MEANING: Readonly<Record<string, string>> = {
  "no-op": "same",
  read: "read",
  create: "create",
  update: "update",
  delete: "delete",
  forget: "forget",
  "delete,create": "replace",
  "create,delete": "replace",
  "create,forget": "replace",
  "forget,create": "replace",
};

function stepOf(resource: Json): readonly RawStep[] {
  const { address, type } = resource;
  const change = isRecord(resource["change"]) ? resource["change"] : {};
  const actions = [change["actions"]].flat().map(String);
  const meaning = own(MEANING, actions.join(","));
  if (meaning === undefined) throw unknownAction("plan", actions.join(", "), String(address));
  if (typeof address !== "string") return [];
  const isImport = isRecord(change["importing"]) && (meaning === "same" || meaning === "update");
  const table = terraformTable(String(type));
  const before = isRecord(change["before"]) ? change["before"] : undefined;
  const after = isRecord(change["after"]) ? (withUnknown(change["after"], change["after_unknown"]) as Json) : undefined;
  const importing = isRecord(change["importing"]) ? change["importing"]["id"] : undefined;
  const old = before && sideOf(table, before, markedAttributes(change["before_sensitive"]));
  const next = after && sideOf(table, after, markedAttributes(change["after_sensitive"]), importing);
  // A property in an older form, or in another one, stands for others.
  const isOwn = (name: string) =>
    name === INCOMPLETE || [old, next].some((side) => Object.hasOwn(side?.inputs ?? {}, name));
  const differing = before && after ? differingIn(table, before, after).filter(isOwn) : [];
  const step: RawStep = {
    op: isImport ? "import" : meaning,
    urn: address,
    old: old && { ...old, retainOnDelete: actions.includes("forget") },
    new: next,
    differing,
    paths: [],
    replacing: replacedBy(table, change["replace_paths"]),
    ...(isOwnType(String(type))
      ? {}
      : { other: otherProvider(`provider[${JSON.stringify(resource["provider_name"])}]`) }),
  };
  return [step];
}

function sideOf(
  table: ResourceTable | undefined,
  values: Json,
  sensitive: ReadonlySet<string>,
  importing?: unknown,
): RecordedState {
  const id = [importing, values["id"]].find((each) => typeof each === "string" && each !== UNKNOWN);
  const known = typeof id === "string" ? { id } : {};
  if (table)
    return { ...known, ...instanceValues(table, { values: expected(table, values), sensitive, kept: {} }, closed) };
  const inputs = Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, sensitive.has(name) ? closed(value) : value]);
  return { ...known, inputs: Object.fromEntries(inputs) };
}

/** For this run only: nobody can check a guess with it. */
const RUN_KEY = randomBytes(16).toString("base64url");

/** A plan shows no secret. The fingerprint in its place only tells whether the two sides differ. */
function closed(value: unknown): unknown {
  return { ...(asSecret(undefined) as object), ciphertext: fingerprint(RUN_KEY, value) };
}

/** What is not known is in no map of fingerprints yet. */
function expected(table: ResourceTable, values: Json): Json {
  const isOpen =
    table.own.some(({ name }) => name === FINGERPRINTS_ATTRIBUTE) && !isRecord(values[FINGERPRINTS_ATTRIBUTE]);
  return isOpen ? { ...values, [FINGERPRINTS_ATTRIBUTE]: null } : values;
}

/** The properties whose attributes differ. What only the server knows is none of the program's. */
function differingIn(table: ResourceTable | undefined, before: Json, after: Json): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = names.filter((name) => canonicalText(before[name] ?? null) !== canonicalText(after[name] ?? null));
  if (!table) return differing;
  const properties = differing.flatMap((name) => table.inputs.find((each) => each.name === name)?.property ?? []);
  return differing.includes(INCOMPLETE_ATTRIBUTE) ? [...properties, INCOMPLETE] : properties;
}

function replacedBy(table: ResourceTable | undefined, paths: unknown): readonly string[] {
  const names = (Array.isArray(paths) ? paths : []).flatMap((path: unknown) =>
    Array.isArray(path) ? path.slice(0, 1) : [],
  );
  return names.map((name) => table?.inputs.find((each) => each.name === name)?.property ?? String(name));
}

/** The value with "unknown" where the plan marks it so. */
function withUnknown(value: unknown, marks: unknown): unknown {
  if (marks === true) return UNKNOWN;
  if (Array.isArray(marks)) {
    const items = Array.isArray(value) ? value : [];
    const length = Math.max(items.length, marks.length);
    return Array.from({ length }, (_, at) => withUnknown(items[at], marks[at]));
  }
  if (!isRecord(marks)) return value;
  const inside = isRecord(value) ? value : {};
  const marked = Object.entries(marks).map(([name, mark]) => [name, withUnknown(inside[name], mark)] as const);
  return { ...inside, ...Object.fromEntries(marked.filter(([, each]) => each !== undefined)) };
}
