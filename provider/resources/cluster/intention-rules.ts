import { isEmpty } from "../../core/canonical";
import type { Values } from "../../core/definition";
import type { Failure } from "../../core/errors";
import { isRecord } from "../../core/unknowns";
import { recordsAt } from "./config-entry";
import { bytes, VALUE_BYTES } from "./meta";
import { comparedPlace } from "./place";

/** What Consul refuses in an intention, each at its property. */

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE"];
const PATHS = ["pathExact", "pathPrefix", "pathRegex"];
const HEADER_FORMS = ["present", "exact", "prefix", "suffix", "contains", "regex"];

export function sourceFailures({ sources, destination, namespace }: Values): readonly Failure[] {
  const all = recordsAt({ sources }, "sources");
  const isWild = destination === "*" || namespace === "*";
  return all.flatMap(([index, source]) => [
    ...failuresOf(`sources[${index}]`, source, isWild),
    ...repetition(all.slice(0, index), index, source),
  ]);
}

function failuresOf(at: string, source: Values, isWild: boolean): readonly Failure[] {
  const isL7 = !isEmpty(source["permissions"]);
  const [from, ...more] = ["peer", "samenessGroup", "partition"].filter((name) => !isEmpty(source[name]));
  const permissions = recordsAt(source, "permissions");
  return [
    ...namesOf(source).map(({ name, reason }) => ({ property: `${at}.${name}`, reason })),
    ...(from && more.length > 0
      ? [{ property: `${at}.${from}`, reason: `cannot be set together with ${more.join(" and ")}` }]
      : []),
    ...(isL7 || !isEmpty(source["action"])
      ? []
      : [{ property: `${at}.action`, reason: 'must be "allow" or "deny" where there are no permissions' }]),
    ...(isL7 && !isEmpty(source["action"])
      ? [{ property: `${at}.action`, reason: "cannot be set together with permissions" }]
      : []),
    ...(isL7 && isWild
      ? [{ property: `${at}.permissions`, reason: "cannot be set where the destination is a wildcard" }]
      : []),
    ...(bytes(String(source["description"] ?? "")) > VALUE_BYTES
      ? [{ property: `${at}.description`, reason: `must be at most ${VALUE_BYTES} bytes long` }]
      : []),
    ...permissions.flatMap(([each, { http }]) =>
      isRecord(http) ? httpFailures(`${at}.permissions[${each}].http`, http) : [],
    ),
  ];
}

/** What is wrong with the names of a source. Only a service and a namespace can be any. */
function namesOf(source: Values): { readonly name: string; readonly reason: string }[] {
  const [name, namespace] = [source["name"], source["namespace"]].map((value) => String(value ?? ""));
  const part = "must be * alone, or without *";
  return [
    ...(isPartOfWildcard(name) ? [{ name: "name", reason: part }] : []),
    ...(isPartOfWildcard(namespace) ? [{ name: "namespace", reason: part }] : []),
    ...(namespace === "*" && name !== "*" ? [{ name: "name", reason: "must be * where the namespace is *" }] : []),
    ...["partition", "peer", "samenessGroup"]
      .filter((each) => String(source[each] ?? "").includes("*"))
      .map((each) => ({ name: each, reason: "must not have a *" })),
  ];
}

export function isPartOfWildcard(name: string | undefined = ""): boolean {
  return name !== "*" && name.includes("*");
}

function httpFailures(at: string, http: Values): readonly Failure[] {
  const paths = PATHS.filter((name) => !isEmpty(http[name]));
  const headers = recordsAt(http, "header");
  const methods = Array.isArray(http["methods"]) ? http["methods"].map((method) => String(method).toUpperCase()) : [];
  return [
    ...(paths.length > 1 ? [{ property: at, reason: `${paths.join(" and ")} cannot be set together` }] : []),
    ...paths
      .filter((name) => name !== "pathRegex" && !String(http[name]).startsWith("/"))
      .map((name) => ({ property: `${at}.${name}`, reason: "must begin with /" })),
    ...(paths.length + headers.length + methods.length === 0
      ? [{ property: at, reason: `must have one of ${PATHS.join(", ")}, header and methods` }]
      : []),
    ...headers.flatMap(([index, header]) => headerFailures(`${at}.header[${index}]`, header)),
    ...methods.flatMap((method, index) => {
      const property = `${at}.methods[${index}]`;
      if (!METHODS.includes(method)) return [{ property, reason: `must be one of ${METHODS.join(", ")}` }];
      return methods.indexOf(method) < index ? [{ property, reason: "is there already" }] : [];
    }),
  ];
}

function headerFailures(at: string, header: Values): readonly Failure[] {
  const forms = HEADER_FORMS.filter((name) => header[name] !== false && !isEmpty(header[name]));
  const isExact = header["ignoreCase"] === true && forms.some((name) => name === "present" || name === "regex");
  return [
    ...(forms.length === 1 ? [] : [{ property: at, reason: `must have exactly one of ${HEADER_FORMS.join(", ")}` }]),
    ...(isExact ? [{ property: `${at}.ignoreCase`, reason: "cannot be set together with present and regex" }] : []),
  ];
}

/** A source that an earlier one names already. */
function repetition(before: readonly (readonly [number, Values])[], index: number, source: Values): readonly Failure[] {
  const same = before.find(([, other]) => whoIs(other) === whoIs(source));
  return same ? [{ property: `sources[${index}]`, reason: `names the same as sources[${same[0]}]` }] : [];
}

function whoIs(source: Values): string {
  const places = ["partition", "namespace"].map((name) => comparedPlace(source[name]));
  return JSON.stringify([...["name", "peer", "samenessGroup"].map((name) => String(source[name] ?? "")), ...places]);
}
