import type { Definition } from "../../provider/core/definition";
import { ProviderError } from "../../provider/core/errors";
import { parse } from "../../provider/core/template";
import { dialects } from "../../provider/dialects";
import type { Dialect } from "../../provider/dialects/dialect";
import { listingOf } from "../../provider/dialects/listing";
import type { Settings } from "../../provider/engine/settings";
import type { Around, HttpRequest } from "../../provider/http/transport";
import { definitions } from "../../provider/resources";
import { LOGIN_COLLECTIONS, listPath, onePath } from "../stack/login-collections";

/** A kind of request that may be sent, as a template over the values in its path. */
interface Allowed {
  readonly dialect: Definition["dialect"];
  readonly method: "GET" | "LIST" | "POST";
  readonly path: string;
}

/**
 * Sends requests that read a record or a list, and those of a login and its end. Refuses every other request before it is sent, redirects
 * included. Not every GET is harmless: `creds` and `sts` issue credentials on GET.
 */
export function readOnly({ service, address }: Settings): Around {
  const allowed = ALLOWED.filter(({ dialect }) => dialects[dialect].service === service);
  return (send) => async (request, signal) => {
    const asked = askedBy(request, address.pathname);
    if (allowed.some((each) => isOneOf(each, asked))) return send(request, signal);
    throw new ProviderError(
      "BugError",
      `this command only reads: ${asked.method} ${asked.path} is not on its list and was not sent.`,
    );
  };
}

/** The list of Vault Enterprise's other policies of tokens. */
export const ROLE_GOVERNING = "sys/policies/rgp?list=true";

const everyDefinition: readonly Definition[] = Object.values(definitions);

/** All that drift detection may send. Reads and lists come from the resources' tables: a new resource adds its own. */
export const ALLOWED: readonly Allowed[] = [
  ...everyDefinition.flatMap((definition) => [
    allowed(definition.dialect, "GET", definition.read.path),
    ...[listingOf(definition) ?? [], definition.trace?.path ?? []]
      .flat()
      .map((path) => allowed(definition.dialect, "GET", path)),
  ]),
  ...Object.entries(dialects).flatMap(([dialect, { probes = [] }]) =>
    // The keys of a table of dialects are their names.
    probes.map((probe) => allowed(dialect as Definition["dialect"], "GET", probe)),
  ),
  ...LOGIN_COLLECTIONS.flatMap((each) => [
    allowed("vault", "GET", listPath(each)),
    allowed("vault", "GET", onePath(each)),
  ]),
  // Tokens may have such policies, too.
  allowed("vault", "GET", ROLE_GOVERNING),
  // After a 404 they show whether the record in them is gone, or hidden from this token.
  allowed("tfe", "GET", "policy-sets/{policySetId}"),
  allowed("tfe", "GET", "organizations/{organization}"),
  ...Object.entries<Dialect>(dialects).flatMap(([dialect, { logins }]) =>
    [logins?.path, logins?.renew, logins?.end, logins?.unwrap].flatMap((path) =>
      path === undefined ? [] : [allowed(dialect as Definition["dialect"], "POST", path)],
    ),
  ),
];

function allowed(dialect: Definition["dialect"], method: Allowed["method"], template: string): Allowed {
  const [path = "", query = ""] = template.split(/\[?\?/);
  const isList = asksForNames(new URLSearchParams(query));
  return { dialect, method: isList ? "LIST" : method, path: dialects[dialect].prefix + path };
}

/** True for the query by which a dialect asks for the names in a collection. */
function asksForNames(query: URLSearchParams): boolean {
  return Object.values<Dialect>(dialects).some(({ names }) => {
    const asked = [...new URLSearchParams(names?.query)];
    return asked.length > 0 && asked.every(([name, value]) => query.get(name) === value);
  });
}

interface Asked {
  readonly method: string;
  readonly path: string;
}

/** A request as the server sees it, with the path decoded. */
function askedBy({ method, url }: HttpRequest, base: string): Asked {
  const folder = base.replace(/\/+$/, "");
  const decoded = decodeURIComponent(url.pathname);
  const path = folder !== "" && decoded.startsWith(`${folder}/`) ? decoded.slice(folder.length) : decoded;
  return { method: method === "GET" && asksForNames(url.searchParams) ? "LIST" : method, path };
}

function isOneOf({ method, path }: Allowed, asked: Asked): boolean {
  const isPlain = !/\/\.{0,2}(\/|$)|[\\\0]/.test(asked.path);
  return isPlain && method === asked.method && parse(path, asked.path) !== undefined;
}
