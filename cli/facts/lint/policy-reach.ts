import { type PathRule, readPolicy } from "../../../provider/resources/sys/policy-text";

/** What a policy lets its holder do to come by more, and the path of the rule that allows it. */
export interface Power {
  /** Such as `may write policies`. */
  readonly may: string;
  readonly path: string;
}

/**
 * The path of the rule by which a policy may write policies, and so anything; `""` where it may not, and undefined for a text
 * that cannot be read.
 */
export function writesPoliciesAt(text: string): string | undefined {
  const read = readPolicy(text);
  return typeof read === "string" ? undefined : (ruleFor(WRITES_POLICIES, read, unusedName(read)) ?? "");
}

/** The powers of a policy, the widest first; undefined for a text that cannot be read. */
export function powersOf(text: string): readonly Power[] | undefined {
  const read = readPolicy(text);
  if (typeof read === "string") return undefined;
  const name = unusedName(read);
  const everywhere = read.filter(({ path }) => EVERY_PATH.includes(path));
  const reads = everywhere.find(({ path }) => decisiveRule(everywhere, path)?.capabilities.includes("read"));
  return [
    ...POWERS.flatMap(({ may, by }) => {
      const [path] = by.flatMap((way) => ruleFor(way, read, name) ?? []);
      return path === undefined ? [] : [{ may, path }];
    }),
    ...(reads === undefined ? [] : [{ may: "may read every path", path: reads.path }]),
  ];
}

/** How something is written. */
interface Way {
  /** In the segments `MOUNT` stands for any mount, and `NAME`, at the end, for a record that no rule names. */
  readonly paths: readonly string[];
  /** Sets of capabilities of which one is enough. */
  readonly needs: readonly (readonly string[])[];
  /** A policy that may only write one, known, record counts, too. */
  readonly orNamed?: true;
  /** A name may have slashes, and rules for shorter or longer ones may differ. */
  readonly isDeep?: true;
}

/** Nothing of these tells a new record from one that is there: `create` alone allows nothing (asked of Vault 1.21.1). */
const UPDATE = [["update"]];

const WRITES_POLICIES: Way = {
  // The second one is the older form.
  paths: ["sys/policies/acl/NAME", "sys/policy/NAME"],
  needs: UPDATE,
  orNamed: true,
  isDeep: true,
};

/**
 * Asked of Vault 1.21.1, capability by capability. A policy for records that it names is how one stack is given its own; one
 * for records of any name gives itself what it wants. https://developer.hashicorp.com/vault/docs/concepts/policies,
 * https://developer.hashicorp.com/vault/docs/concepts/production-hardening
 */
const POWERS: readonly { readonly may: string; readonly by: readonly Way[] }[] = [
  { may: "may write policies", by: [WRITES_POLICIES] },
  {
    may: "may write any role of an auth method",
    by: [
      {
        paths: ["role", "users", "groups", "certs"].flatMap((kind) => [
          `auth/MOUNT/${kind}/NAME`,
          `auth/MOUNT/MOUNT/${kind}/NAME`,
        ]),
        needs: [["create"], ["update"]],
      },
      { paths: ["auth/token/roles/NAME"], needs: [["create"], ["update"]] },
    ],
  },
  {
    may: "may give any group or entity policies",
    by: [
      {
        paths: ["group", "entity"].flatMap((kind) =>
          ["", "/id/NAME", "/name/NAME"].map((end) => `identity/${kind}${end}`),
        ),
        needs: UPDATE,
      },
      { paths: ["identity/entity-alias", "identity/entity/merge"], needs: UPDATE },
    ],
  },
  {
    may: "may make tokens with any policy",
    by: [{ paths: ["auth/token/create", "auth/token/create-orphan"], needs: [["update", "sudo"]] }],
  },
  {
    may: "may enable any auth method",
    by: [{ paths: ["sys/auth/NAME"], needs: [["update", "sudo"]], isDeep: true }],
  },
  // With it also `sys/mounts/auth/<path>/tune`.
  { may: "may write any mount", by: [{ paths: ["sys/mounts/NAME"], needs: UPDATE, isDeep: true }] },
  {
    may: "may register any plugin",
    by: [{ paths: ["sys/plugins/catalog/NAME", "sys/plugins/catalog/MOUNT/NAME"], needs: [["update", "sudo"]] }],
  },
  {
    may: "may replace all data",
    by: [{ paths: ["sys/storage/raft/snapshot", "sys/storage/raft/snapshot-force"], needs: UPDATE }],
  },
  { may: "may read the storage itself", by: [{ paths: ["sys/raw/NAME"], needs: [["read", "sudo"]], isDeep: true }] },
  { may: "may stop the audit log", by: [{ paths: ["sys/audit/NAME"], needs: [["delete", "sudo"]], isDeep: true }] },
];

/** What is no longer least of anything: every path, also those of mounts that are still to come. */
const EVERY_PATH = ["*", "+/*"];

/** The path of the rule by which a policy does something in a way. */
function ruleFor({ paths, needs, orNamed, isDeep }: Way, read: readonly PathRule[], name: string): string | undefined {
  const allows = ({ capabilities }: PathRule) => needs.some((set) => set.every((each) => capabilities.includes(each)));
  const wanted = paths.map(
    (path): Wanted => ({ segments: path.split("/"), name, longest: isDeep ? Number.POSITIVE_INFINITY : 1 }),
  );
  const isAnyones = (sample: string) => orNamed || paths.includes(sample) || lastOf(sample).includes(name);
  const reachOf = (rule: PathRule) => wanted.flatMap((each) => samplesOf(rule.path, each)).filter(isAnyones);
  const rules = read.filter((rule) => reachOf(rule).length > 0);
  const writers = rules.filter(allows);
  // Nobody writes so many by hand, and to weigh each against each takes long.
  if (writers.length > 0 && rules.length > MOST_RULES) return writers[0]?.path;
  const samples = writers.flatMap(reachOf);
  return samples.map((sample) => decisiveRule(rules, sample)).find((rule) => rule && allows(rule))?.path;
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

const MOST_RULES = 300;
/** In segments beyond what a pattern has. */
const LONGEST_NAME = 8;

/** A name that no rule has anything to do with, so that no rule for a single record hides what the others allow. */
function unusedName(rules: readonly PathRule[]): string {
  const used = new Set(rules.flatMap(({ path }) => [...path]));
  for (let code = 0x61; ; code++) if (!used.has(String.fromCodePoint(code))) return String.fromCodePoint(code);
}

interface Wanted {
  readonly segments: readonly string[];
  readonly name: string;
  /** How many segments a name may have. */
  readonly longest: number;
}

/** The auth method of tokens has no roles of this kind, and what stands behind the path of a method is no part of it. */
const NO_MOUNT: ReadonlySet<string> = new Set(["token", "role", "users", "groups", "certs", "login", "config"]);

/** Paths that are wanted and fit the pattern. */
function samplesOf(pattern: string, { segments: wanted, name, longest }: Wanted): readonly string[] {
  const [isGlob, body] = pattern.endsWith("*") ? [true, pattern.slice(0, -1)] : [false, pattern];
  const hasName = wanted.at(-1) === "NAME";
  const segments = body.split("/");
  const beginning = isGlob ? segments.slice(0, -1) : segments;
  const most = wanted.length + (hasName ? longest - 1 : 0);
  // A star stands in one more segment.
  if (beginning.length > (isGlob ? most - 1 : most) || (!isGlob && beginning.length < wanted.length)) return [];
  const at = (index: number) => wanted[index] ?? "NAME";
  const isFree = (segment: string) => segment === "NAME" || segment === "MOUNT";
  const isMet = (segment: string, index: number) =>
    segment === "+" ||
    at(index) === segment ||
    (isFree(at(index)) && (at(index) !== "MOUNT" || !NO_MOUNT.has(segment)));
  if (!beginning.every(isMet)) return [];
  const filled = (segment: string) => (isFree(segment) ? name : segment);
  const known = beginning.map((segment, index) => (segment === "+" ? filled(at(index)) : segment));
  if (!isGlob) return known.at(-1) === "" ? [] : [known.join("/")];
  const last = segments.at(-1) ?? "";
  const next = wanted[known.length];
  if (next !== undefined && !isFree(next) && !next.startsWith(last)) return [];
  if (next === undefined && !hasName) return [];
  const rest = next === undefined || isFree(next) ? [last + name] : [next];
  const whole = [...known, ...rest, ...wanted.slice(known.length + 1).map(filled)];
  const more = longest > 1 && hasName ? LONGEST_NAME : 1;
  return Array.from({ length: more }, (_, count) => [...whole, ...Array<string>(count).fill(name)].join("/"));
}

/** The rules that the server applies to a path: those of the path itself, else those of the pattern that comes first. */
export function decisiveRule(rules: readonly PathRule[], path: string): PathRule | undefined {
  const fitting = rules.filter((rule) => fits(rule.path, path)).sort((a, b) => order(b.path, a.path, path));
  const [first] = fitting;
  if (first === undefined) return undefined;
  const its = fitting.filter((rule) => rule.path === first.path);
  // Rules of one path count together, and one that denies wins.
  const denies = its.find(({ capabilities }) => capabilities.includes("deny"));
  return denies ?? { ...first, capabilities: its.flatMap(({ capabilities }) => capabilities) };
}

/** True for a path that the pattern of a rule covers. */
export function fits(pattern: string, path: string): boolean {
  const [isGlob, body] = pattern.endsWith("*") ? [true, pattern.slice(0, -1)] : [false, pattern];
  const [segments, parts] = [body.split("/"), path.split("/")];
  if (isGlob ? parts.length < segments.length : parts.length !== segments.length) return false;
  return segments.every((segment, at) => {
    const part = parts[at] ?? "";
    if (isGlob && at === segments.length - 1) return part.startsWith(segment);
    return segment === "+" || segment === part;
  });
}

/** The server's order of patterns that fit one path; the higher one counts. */
function order(a: string, b: string, path: string): number {
  if (a === b) return 0;
  if (a === path || b === path) return a === path ? 1 : -1;
  const wild = (pattern: string) => {
    const at = pattern.search(/(^|\/)\+(\/|$)|\*$/);
    return at < 0 ? pattern.length : pattern[at] === "/" ? at + 1 : at;
  };
  const plusses = (pattern: string) => pattern.split("/").filter((segment) => segment === "+").length;
  const isGlob = (pattern: string) => Number(pattern.endsWith("*"));
  return (
    wild(a) - wild(b) || isGlob(b) - isGlob(a) || plusses(b) - plusses(a) || a.length - b.length || (a < b ? -1 : 1)
  );
}
