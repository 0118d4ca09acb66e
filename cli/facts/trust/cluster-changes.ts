import { canonicalText, isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { HIDDEN_NOW } from "./not-shown";
import { listOf } from "./sentences";
import { code, type Said } from "./trust-change";
import { upper } from "./who-words";

const recordsIn = (value: unknown): readonly Values[] => listOf(value).filter(isRecord);
const named = ({ name, namespace }: Values) =>
  isEmpty(namespace) || namespace === "default" ? String(name) : `${String(namespace)}/${String(name)}`;
const serviceText = (values: Values) =>
  values["name"] === "*" ? "every service" : `the service ${code(named(values))}`;

/** Which services others may see. */
export function exportChanges(before: Values | undefined, after: Values | undefined): readonly Said[] {
  if (hasUnknown([before?.["services"], after?.["services"]]) && !isSame(before, after, "services"))
    return [
      { effect: "unclear", sentence: `Which services are exported to whom cannot be told: they are ${HIDDEN_NOW}.` },
    ];
  const [was, is] = [before, after].map((values) => exportsIn(values?.["services"]));
  const only = (these: ReadonlyMap<string, string> = new Map(), those: ReadonlyMap<string, string> = new Map()) =>
    [...these].filter(([key]) => !those.has(key)).map(([, text]) => text);
  return [
    ...only(is, was).map(
      (text): Said => ({ effect: "gains", sentence: `${text.replace(MAY, "may now use")}; before, not.` }),
    ),
    ...only(was, is).map((text): Said => ({ effect: "loses", sentence: `${text.replace(MAY, "may no longer use")}.` })),
  ];
}

/** Stands for the verb. */
export const MAY = "\0";

/** Who may use which service, by what makes it one export. */
export function exportsIn(services: unknown): ReadonlyMap<string, string> {
  return new Map(
    recordsIn(services).flatMap((service) =>
      recordsIn(service["consumers"]).map((consumer): [string, string] => {
        const { peer, partition, samenessGroup } = consumer;
        const who = !isEmpty(peer)
          ? `The peer ${code(peer)}`
          : isEmpty(partition)
            ? `The sameness group ${code(samenessGroup)}`
            : `The partition ${code(partition)}`;
        return [canonicalText([who, named(service).toLowerCase()]), `${who} ${MAY} ${serviceText(service)}`];
      }),
    ),
  );
}

/** Which services may connect to another one. */
export function intentionChanges(before: Values | undefined, after: Values | undefined): readonly Said[] {
  const destination = (after ?? before)?.["destination"];
  const to = destination === "*" ? "every service" : code(destination);
  if (["sources", "jwt"].some((name) => hasUnknown([before?.[name], after?.[name]]) && !isSame(before, after, name)))
    return [{ effect: "unclear", sentence: `Who may connect to ${to} cannot be told: it is ${HIDDEN_NOW}.` }];
  const [was, is] = [before, after].map((values) => sourcesIn(values?.["sources"]));
  const keys = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])].sort();
  const changes = keys.flatMap((key) => sourceChange(was?.get(key), is?.get(key), to) ?? []);
  const isFree = !isEmpty(before?.["jwt"]) && isEmpty(after?.["jwt"]) && after !== undefined;
  if (!isFree) return changes;
  const sentence = `Requests without a token may now go to ${to}, from whom its intentions allow; before, each needed a JWT.`;
  return [{ effect: "opens", sentence }, ...changes];
}

function sourcesIn(sources: unknown): ReadonlyMap<string, Values> {
  return new Map(
    recordsIn(sources).map((source) => {
      const { peer, partition, samenessGroup } = source;
      return [canonicalText([named(source).toLowerCase(), peer ?? "", partition ?? "", samenessGroup ?? ""]), source];
    }),
  );
}

function sourceChange(was: Values | undefined, is: Values | undefined, to: string): Said | undefined {
  const source = is ?? was ?? {};
  const from = isEmpty(source["peer"]) ? "" : ` of the peer ${code(source["peer"])}`;
  const text = serviceText(source);
  const who = `${upper(text)}${from}`;
  const stateOf = (values: Values | undefined) =>
    values === undefined ? "none" : isEmpty(values["permissions"]) ? String(values["action"]) : "some";
  const [then, now] = [stateOf(was), stateOf(is)];
  if (then === now && (now !== "some" || isSame(was, is, "permissions"))) return undefined;
  const before = {
    none: "no intention said so",
    deny: "it was denied",
    allow: "all of them",
    some: "only some of them",
  };
  const old = before[then as keyof typeof before] ?? then;
  if (now === "allow")
    return {
      effect: "gains",
      sentence: `${who} may now connect to ${to}${then === "some" ? " with any request" : ""}; before, ${old}.`,
    };
  if (now === "deny") return { effect: "loses", sentence: `${who} may no longer connect to ${to}.` };
  if (now === "some")
    return {
      effect: then === "allow" ? "loses" : then === "some" ? "unclear" : "gains",
      sentence: `${who} may now connect to ${to} with some requests${then === "some" ? ", and others than before" : `; before, ${old}`}.`,
    };
  const sentence = `Whether ${text}${from} may connect to ${to} is now decided by the cluster's default, or by an intention of \`*\`; before, it was ${then === "deny" ? "denied" : "allowed"}.`;
  return { effect: then === "deny" ? "unclear" : "loses", sentence };
}

function isSame(one: Values | undefined, other: Values | undefined, property: string): boolean {
  return canonicalText(one?.[property] ?? "") === canonicalText(other?.[property] ?? "");
}
