import { isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { isMoving } from "../../../provider/core/move";
import type { PreviewStep } from "../../stack/preview";
import { codeSpan } from "../../text/markdown";
import { own } from "../../text/own-member";
import { shortLine } from "../../text/visible-text";

/** What breaks for those who use the record, in a clause. */
interface Breakage {
  readonly replaced: string;
  readonly deleted: string;
  /** Of what the server can move to another path. */
  readonly moved?: string;
}

const issued = "Tokens that it issued cannot be renewed any more.";
const policyLoss = "Runs are not checked against its policies any more, and its parameters are lost";
const mountLoss = "all its data is lost for ever";

/** By class, of a set that of its records. What servers do is known from their recorded answers (`test/fixtures/wire`) and from the suite on real ones. */
const BREAKAGE: Readonly<Record<string, Breakage>> = {
  "jwt:Role": {
    replaced: `Logins with this role fail while it is gone. ${issued}`,
    deleted: `Logins with this role fail from then on. ${issued}`,
  },
  "jwt:RoleSet": {
    replaced: `Logins with these roles fail while they are gone. ${issued}`,
    deleted: `Logins with these roles fail from then on. ${issued}`,
  },
  "jwt:Config": {
    replaced: "The record at the old path stays there: the API cannot delete it.",
    deleted: "The record stays on the server, and nothing manages it: the API cannot delete it.",
  },
  "identity:Group": {
    replaced:
      "Its members lose its policies at once. Those of an external group have them again after their next login, or when an older token is renewed; what names the group by its id needs the new one.",
    deleted: "Tokens of its members lose its policies at once.",
  },
  "cloud:Role": {
    replaced: "Nobody gets credentials from this role while it is gone.",
    deleted: "Nobody gets credentials from this role any more.",
  },
  "cloud:RoleSet": {
    replaced: "Nobody gets credentials from these roles while they are gone.",
    deleted: "Nobody gets credentials from these roles any more.",
  },
  "cloud:StaticRole": {
    replaced:
      "The access key that the server made is deleted: whoever holds it loses access and has to fetch the new one.",
    deleted: "The access key that the server made is deleted: whoever holds it loses access. The user stays.",
  },
  "cloud:StaticRoleSet": {
    replaced:
      "The access keys that the server made are deleted: whoever holds one loses access and has to fetch the new one.",
    deleted: "The access keys that the server made are deleted: whoever holds one loses access. The users stay.",
  },
  "cloud:RootConfig": {
    replaced: "The old mount keeps its root credentials unless `onDelete` says otherwise.",
    deleted: "Unless `onDelete` is `blank`, the root credentials stay on the server and nothing manages them.",
  },
  "cloud:LeaseConfig": {
    replaced: "The old mount keeps its leases: the API cannot delete the record.",
    deleted: "The record stays on the server, and nothing manages it: the API cannot delete it.",
  },
  "cloud:RootRotation": {
    replaced: "The root key is rotated when the new one is made.",
    deleted: "Nothing on the server changes; nothing rotates the root key any more.",
  },
  "policy:Parameter": {
    replaced: "Policies see no value, or their default, while it is gone.",
    deleted: "Policies see no value, or their default, from then on.",
  },
  "policy:ParameterSet": {
    replaced: "Policies see no values, or their defaults, while the parameters are gone.",
    deleted: "Policies see no values, or their defaults, from then on.",
  },
  "policy:PolicySet": {
    replaced: `${policyLoss}, until the new one has policies of its own.`,
    deleted: `${policyLoss}.`,
  },
  "cluster:ExportedServices": {
    replaced: "Peers see none of the exported services while the record is gone.",
    deleted: "Peers see none of the exported services any more, and cannot reach them.",
  },
  "cluster:Intention": {
    replaced: "While it is gone, the default of the cluster or an intention of `*` decides who may connect.",
    deleted: "From then on, the default of the cluster or an intention of `*` decides who may connect.",
  },
  "cluster:PeeringToken": {
    replaced: "The peering ends on both sides, and its services cannot reach each other until the new token is used.",
    deleted: "The peering ends on both sides: exported services cannot be reached any more.",
  },
  "cluster:Peering": {
    replaced: "The peering ends and its services cannot reach each other until it is established again.",
    deleted: "The peering ends: services of the other cluster cannot be reached any more.",
  },
  "cluster:PeeredClusters": {
    replaced: "The peering ends and services cannot reach each other until it is established again.",
    deleted: "The peering ends: the clusters cannot reach each other's services any more.",
  },
  "sys:AuthMount": {
    replaced: `Every token that it issued is revoked, and ${mountLoss}: configuration and roles.`,
    deleted: `Every token that it issued is revoked, and ${mountLoss}: configuration and roles.`,
    moved: "Every token that it issued is revoked. Logins have to name the new path; configuration and roles stay.",
  },
  "sys:Policy": {
    replaced: "Tokens that have the policy lose what it allows while it is gone.",
    deleted: "Tokens that have the policy lose what it allows at once. The server keeps the policy `default`.",
  },
  "sys:SecretsMount": {
    replaced: `Every lease that it issued is revoked, and ${mountLoss}: configuration and roles.`,
    deleted: `Every lease that it issued is revoked, and ${mountLoss}: configuration and roles.`,
    moved: "Every lease that it issued is revoked. Requests have to name the new path; configuration and roles stay.",
  },
};

const MOUNTS: Readonly<Record<string, string>> = { "sys:AuthMount": "jwt", "sys:SecretsMount": "cloud" };

/** True for an update by which the server moves the record to another path. */
export function isMove({ operation, definition, before = {}, after = {} }: PreviewStep): boolean {
  return operation === "update" && definition !== undefined && isMoving(definition, before, after);
}

/** By operation, of a record that stays: who gets in by it still does. */
const LEFT: { readonly [operation in PreviewStep["operation"]]?: string } = {
  forget: "It is removed from the state; the record stays on the server, and nothing manages it.",
  replace: "The old record stays on the server, and nothing manages it.",
};

/** What a replacement, a deletion or a move breaks, in Markdown; undefined for other steps, and for resources of other packages. */
export function breakageOf(step: PreviewStep, all: readonly PreviewStep[]): string | undefined {
  const members = step.definition?.members;
  const breakage = own(BREAKAGE, members?.of.token ?? step.definition?.token ?? "");
  if (isMove(step)) return breakage?.moved;
  if (step.leaves) return LEFT[step.operation];
  if (breakage === undefined || (step.operation !== "replace" && step.operation !== "delete")) return undefined;
  const said = step.operation === "replace" ? breakage.replaced : breakage.deleted;
  const one = STAYING.includes(step.definition?.token ?? "") && losesMount(step, all) ? GONE : said;
  const text = members ? `For each of its records: ${one}` : one;
  const lost = resourcesOn(step, all);
  if (lost.length === 0) return text;
  const more = lost.length > SHOWN ? ` and ${lost.length - SHOWN} more` : "";
  const plural = lost.length === 1 ? "resource" : "resources";
  return `${text} This removes ${lost.length} ${plural} of this preview: ${lost.slice(0, SHOWN).join(", ")}${more}.`;
}

/** What the API cannot delete, or may not, goes with its mount only. */
const STAYING = ["jwt:Config", "cloud:LeaseConfig", "cloud:RootConfig"];
const GONE = "It is gone with its mount, which this run removes.";

/** True for a record that its server keeps although the run deletes it: the API cannot. */
export function isKept(step: PreviewStep, all: readonly PreviewStep[]): boolean {
  const { before, definition } = step;
  const isForgotten =
    definition?.delete === "forget" || (definition?.delete === "forget or blank" && before?.["onDelete"] !== "blank");
  // What a refresh found gone is gone: this run deletes nothing, and leaves nothing there.
  if (!isForgotten || step.operation === "refresh") return false;
  return !losesMount(step, all) && !all.some((each) => isMove(each) && isMountOf(each, step));
}

function losesMount(step: PreviewStep, all: readonly PreviewStep[]): boolean {
  return all.some((each) => ["delete", "replace"].includes(each.operation) && !each.leaves && isMountOf(each, step));
}

function isMountOf({ definition, before: mount }: PreviewStep, { before, definition: of }: PreviewStep): boolean {
  return own(MOUNTS, definition?.token ?? "") === of?.token.split(":")[0] && mount?.["path"] === before?.["mount"];
}

const SHOWN = 5;

/** The resources on a mount that is removed, as far as the preview lists them: it may leave out unchanged ones. */
function resourcesOn({ definition, before }: PreviewStep, all: readonly PreviewStep[]): readonly string[] {
  const module = own(MOUNTS, definition?.token ?? "");
  const path = before?.["path"];
  if (module === undefined || isEmpty(path)) return [];
  const livesThere = (values: Values | undefined) => values?.["mount"] === path;
  return all
    .filter((step) => step.definition?.token.startsWith(`${module}:`) && livesThere(step.before))
    .map(({ class: type, name }) => `${codeSpan(type)} ${codeSpan(shortLine(name, 120))}`);
}
