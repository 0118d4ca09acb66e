import { isEmpty } from "../../core/canonical";
import { defineResource, type Values } from "../../core/definition";
import { type Field, required, shared } from "../../core/field";
import { isPrintable, NOT_PRINTABLE, string } from "../../core/rows";
import { rule } from "../../core/rules";
import { isRecord } from "../../core/unknowns";
import { configEntry } from "./config-entry";
import { jwt, sources } from "./intention-rows";
import { isPartOfWildcard, sourceFailures } from "./intention-rules";
import { meta, metaFailures } from "./meta";
import { namespace, withoutDefaultPlace } from "./place";

const fields = {
  /** Name of the called service; `*` for any. @source consul/service-intentions name */
  destination: destination(),
  /** Namespace of the called service, Enterprise only; `default` is the same as none. @source consul/service-intentions namespace */
  namespace: namespace(),
  /** Callers that are allowed or denied. The order does not matter: an exact name comes before `*`. @source consul/service-intentions sources */
  sources: shared(sources("Sources")),
  /** What the token of every request must be. @source consul/service-intentions jwt */
  jwt: jwt("JWT"),
  /** Metadata of the record, key to value. It has no effect. @source consul/service-intentions meta */
  meta: meta(),
};

export const clusterIntention = defineResource({
  token: "cluster:Intention",
  dialect: "consul",
  fields,
  id: "[{partition|default}/{namespace|default}/]{destination}",
  label: "destination",
  identity: ["destination", "namespace"],
  rewrite: (inputs) => withPlacesOfSources(withoutDefaultPlace(withoutDefaultPlace(inputs), "namespace")),
  ...configEntry("service-intentions", "{destination}[?ns={namespace}]"),
  rules: [
    rule(["namespace", "destination"], ({ namespace, destination }) =>
      namespace === "*" && destination !== "*" ? "* is only for the destination *" : undefined,
    ),
    rule(["sources", "destination", "namespace"], (values) => sourceFailures(values)),
    rule(["meta"], ({ meta }) => metaFailures("meta", (meta ?? {}) as Record<string, string>)),
  ],
});

/** The name of a service. The server compares such names in lower case, and keeps the record as it was written. */
function destination(): Field<string, true> {
  const name = string("Name");
  const schema = name.schema
    .refine((value) => /^[^/\s]+$/.test(value), { error: "must be a name without slashes and blanks" })
    .refine(isPrintable, { error: NOT_PRINTABLE })
    .refine((value) => value !== "." && value !== "..", { error: "must not be `.` or `..`" })
    .refine((value) => !isPartOfWildcard(value), { error: "must be * alone, or without *" });
  return required({ ...name, schema, canonical: (value) => (value ?? "").toLowerCase() });
}

/**
 * A source without a place is in the destination's, unless it is of a peer or a sameness group, and the server shows that
 * place. So it is written out where it is not the default one. A wildcard is no place.
 */
function withPlacesOfSources(inputs: Values): Values {
  const { sources } = inputs;
  if (!Array.isArray(sources)) return inputs;
  const places = ["namespace", "partition"].filter((name) => !isEmpty(inputs[name]) && inputs[name] !== "*");
  const placed = sources.map((source: unknown) => {
    if (!isRecord(source) || !isEmpty(source["peer"]) || !isEmpty(source["samenessGroup"])) return source;
    const missing = places.filter((name) => isEmpty(source[name]));
    return { ...source, ...Object.fromEntries(missing.map((name) => [name, inputs[name]])) };
  });
  return { ...inputs, sources: placed };
}
