import { goQuoted } from "../framework/go-quoted";
import { type Entry, errorList } from "./config-fields";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE"];

/** An exact name comes before a wildcard, that of the called service first. */
export function precedenceOf(destination: string, source: string): number {
  return (destination === "*" ? 6 : 9) - (source === "*" ? 1 : 0);
}

/** Consul stores HTTP methods in upper case. */
export function withoutLowerCase(source: Entry): Entry {
  const permissions = source["Permissions"] as Entry[] | undefined;
  if (permissions === undefined) return source;
  const Permissions = permissions.map((permission) => {
    const http = permission["HTTP"] as Entry | undefined;
    const sent = http?.["Methods"] as string[] | undefined;
    if (http === undefined || sent === undefined) return permission;
    return { ...permission, HTTP: { ...http, Methods: sent.map((method) => method.toUpperCase()) } };
  });
  return { ...source, Permissions };
}

/** The first thing that Consul finds wrong with an intention, its metadata apart. */
export function intentionProblem(entry: Entry): string | undefined {
  const name = String(entry["Name"] ?? "");
  const sources = (entry["Sources"] ?? []) as Entry[];
  if (name === "") return "Name is required";
  const inName = wildcardProblem(name);
  const inJwt = jwtProblem(entry["JWT"]);
  if (inName !== undefined || inJwt !== undefined) return inName ?? inJwt;
  if (sources.length === 0) return "At least one source is required";
  const seen = new Set<string>();
  for (const [i, source] of sources.entries()) {
    const problem = sourceProblem(source, `Sources[${i}]`, name === "*") ?? repetition(source, `Sources[${i}]`, seen);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function sourceProblem(source: Entry, at: string, isWild: boolean): string | undefined {
  const { Name, Peer = "", SamenessGroup, Description = "", Action, Type } = source;
  const permissions = (source["Permissions"] ?? []) as Entry[];
  if (Name === "") return `${at}.Name is required`;
  if (SamenessGroup !== undefined) return `${at}.SamenessGroup: Sameness groups are a Consul Enterprise feature. `;
  const inName = wildcardProblem(String(Name));
  if (inName !== undefined) return `${at}.${inName}`;
  if (String(Peer).includes("*")) return `${at}.Peer: cannot use wildcard '*' in peer`;
  if (Buffer.byteLength(String(Description)) > 512) return `${at}.Description exceeds maximum length 512`;
  if (permissions.length === 0 && !isAction(Action)) return `${at}.Action must be set to 'allow' or 'deny'`;
  if (permissions.length > 0 && Action !== undefined)
    return `${at}.Action must be omitted if Permissions are specified`;
  if (permissions.length > 0 && isWild)
    return `${at}.Permissions cannot be specified on intentions with wildcarded destinations`;
  if (Type !== "consul") return `${at}.Type must be set to 'consul'`;
  for (const [j, permission] of permissions.entries()) {
    const problem = permissionProblem(permission, `${at}.Permissions[${j}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function permissionProblem(permission: Entry, at: string): string | undefined {
  const { Action, HTTP } = permission;
  if (!isAction(Action)) return `${at}.Action must be set to 'allow' or 'deny'`;
  if (HTTP === undefined) return `${at}.HTTP is required`;
  return httpProblem(HTTP as Entry, `${at}.HTTP`) ?? jwtProblem(permission["JWT"]);
}

function httpProblem(http: Entry, at: string): string | undefined {
  for (const name of ["PathExact", "PathPrefix"]) {
    const path = http[name];
    if (typeof path === "string" && !path.startsWith("/"))
      return `${at}.${name} doesn't start with '/': ${goQuoted(path)}`;
  }
  const paths = ["PathExact", "PathPrefix", "PathRegex"].filter((name) => http[name] !== undefined);
  if (paths.length > 1) return `${at} should only contain at most one of PathExact, PathPrefix, or PathRegex`;
  const headers = (http["Header"] ?? []) as Entry[];
  for (const [k, header] of headers.entries()) {
    const problem = headerProblem(header, `${at}.Header[${k}]`);
    if (problem !== undefined) return problem;
  }
  const listed = (http["Methods"] ?? []) as string[];
  for (const [index, method] of listed.entries()) {
    if (!methods.includes(method)) return `${at}.Methods contains an invalid method ${goQuoted(method)}`;
    if (listed.indexOf(method) < index) return `${at}.Methods contains ${goQuoted(method)} more than once`;
  }
  return paths.length + headers.length + listed.length === 0 ? `${at} should not be empty` : undefined;
}

function headerProblem(header: Entry, at: string): string | undefined {
  if (header["Name"] === undefined) return `${at} missing required Name field`;
  const forms = ["Present", "Exact", "Regex", "Prefix", "Suffix", "Contains"].filter((name) => header[name]);
  if (forms.length !== 1) return `${at} should only contain one of Present, Exact, Prefix, Suffix, Contains, or Regex`;
  const isExact = header["Present"] !== undefined || header["Regex"] !== undefined;
  return header["IgnoreCase"] && isExact
    ? `${at} should set one of Exact, Prefix, Suffix, or Contains when using IgnoreCase`
    : undefined;
}

function jwtProblem(jwt: unknown): string | undefined {
  const providers = ((jwt as Entry | undefined)?.["Providers"] ?? []) as Entry[];
  const nameless = providers.filter(({ Name }) => Name === undefined);
  return nameless.length === 0 ? undefined : errorList(nameless.map(() => "JWT provider name is required"));
}

function repetition({ Name, Peer }: Entry, at: string, seen: Set<string>): string | undefined {
  const name = goQuoted(String(Name));
  const who = Peer === undefined ? name : `peer(${goQuoted(String(Peer))}) ${name}`;
  if (seen.has(who)) return `${at} defines ${who} more than once`;
  seen.add(who);
  return undefined;
}

function wildcardProblem(name: string): string | undefined {
  return name !== "*" && name.includes("*")
    ? "Name: wildcard character '*' cannot be used with partial values"
    : undefined;
}

function isAction(word: unknown): boolean {
  return word === "allow" || word === "deny";
}
