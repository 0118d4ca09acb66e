import { createHash } from "node:crypto";
import { isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import { shownAddress, withoutUser } from "../../text/shown-address";
import { demandsOf, demandText, issuerOf, listOf, whoSentence } from "../trust/sentences";
import type { About, MapGraph, Place } from "./map-graph";
import type { PlacedRecord } from "./placed-records";
import type { MapBound } from "./trust-map";

/** Who can log in: issuers, auth methods and roles, with what the roles demand. */
export function addLogins(graph: MapGraph, records: readonly PlacedRecord[]): void {
  const issuers = new Map<string, string>();
  for (const { definition, values, place, resource } of records) {
    if (definition.token === definitions.sysAuthMount.token) {
      const facts = [`Its type is ${String(values["type"])}.`];
      graph.node("mount", authPath(values["path"]), place, { facts, resource });
    } else if (definition.token === definitions.jwtConfig.token) {
      const mount = graph.node("mount", authPath(values["mount"]), place, { resource, facts: factsOf(values) });
      const bound = issuerOf(values);
      if (bound !== undefined) issuers.set(mount, bound);
      for (const { name, title } of issuersIn(values)) {
        const bounds = isEmpty(values["boundIssuer"])
          ? []
          : [
              {
                property: "boundIssuer",
                text: `iss is ${JSON.stringify(shownAddress(String(values["boundIssuer"])))}`,
              },
            ];
        graph.edge(graph.node("issuer", name, {}, { title }), mount, { bounds });
      }
    }
  }
  for (const { definition, values, place, resource } of records)
    if (definition.token === definitions.jwtRole.token) {
      const mount = graph.node("mount", authPath(values["mount"]), place);
      const role = roleNode(graph, values, place, { resource, facts: roleFacts(values, issuers.get(mount)) });
      graph.edge(mount, role, { bounds: boundsOf(values) });
    }
}

export function authPath(mount: unknown): string {
  return `auth/${String(mount)}`;
}

export function roleNode(graph: MapGraph, values: Values, place: Place, about?: About): string {
  const [mount, name] = [String(values["mount"]), String(values["name"])];
  return graph.node("role", `${authPath(mount)}/role/${name}`, place, { ...about, title: `${mount}/${name}` });
}

/** Whose tokens an auth method takes: an issuer is outside, so it is the same one for all servers. */
function issuersIn(values: Values): readonly OutsideIssuer[] {
  const { boundIssuer, oidcDiscoveryUrl, jwksUrl, jwksPairs, jwtValidationPubkeys, mount } = values;
  const [first] = [boundIssuer, oidcDiscoveryUrl, jwksUrl].filter((each) => !isEmpty(each));
  if (first !== undefined) return [atAddress(String(first))];
  const urls = listOf(jwksPairs).map((pair) => String(isRecord(pair) ? pair["jwksUrl"] : pair));
  if (urls.length > 0) return urls.map(atAddress);
  const keys = `public keys in ${authPath(mount)}`;
  return isEmpty(jwtValidationPubkeys) ? [] : [{ name: keys, title: keys }];
}

interface OutsideIssuer {
  /** Makes it unique. */
  readonly name: string;
  readonly title: string;
}

/** The query tells issuers apart too, such as by a tenant. Who asks with which password does not, and could be guessed from a hash. */
function atAddress(address: string): OutsideIssuer {
  const title = shownAddress(address);
  const asked = withoutUser(address);
  const name = title === asked ? title : `${title}~${createHash("sha256").update(asked).digest("hex").slice(0, 16)}`;
  return { name, title };
}

function factsOf({ boundIssuer, oidcDiscoveryUrl, defaultRole }: Values): readonly string[] {
  return [
    ...(isEmpty(boundIssuer) && isEmpty(oidcDiscoveryUrl)
      ? ["It looks at the signature only, and not at the issuer that a token names."]
      : []),
    ...(isEmpty(defaultRole) ? [] : [`Its default role is ${String(defaultRole)}.`]),
  ];
}

function roleFacts(values: Values, issuer: string | undefined): readonly string[] {
  const lifetimes = ["tokenTtl", "tokenMaxTtl", "tokenExplicitMaxTtl", "tokenPeriod"].filter(
    (name) => !isEmpty(values[name]) && values[name] !== 0,
  );
  return [
    whoSentence(values, issuer),
    ...lifetimes.map((name) => `${name} is ${String(values[name])}.`),
    ...(isEmpty(values["groupsClaim"]) ? [] : [`The claim ${String(values["groupsClaim"])} names groups.`]),
  ];
}

/** What a role demands, as it stands on the line that leads to it. */
function boundsOf(values: Values): readonly MapBound[] {
  const { tokenBoundCidrs, roleType } = values;
  const found: readonly MapBound[] = [
    ...demandsOf(values).map((demand) => ({ property: demand.property, text: demandText(demand) })),
    ...(isEmpty(tokenBoundCidrs)
      ? []
      : [{ property: "tokenBoundCidrs", text: `from ${listOf(tokenBoundCidrs).map(String).join(", ")}` }]),
  ];
  if (found.length > 0) return found;
  const text = hasUnknown(roleType) ? "whoever logs in" : roleType === "jwt" ? "any token" : "anybody, in a browser";
  return [{ property: "roleType", text }];
}
