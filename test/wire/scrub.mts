import type { Exchange } from "./exchange.mts";
import type { RawAnswer } from "./raw-request.mts";

/** Headers that a client looks at, or that say which kind of answer it is. */
const HEADERS = [
  "content-type",
  "location",
  "retry-after",
  "x-vault-namespace",
  "x-consul-index",
  "x-consul-default-acl-policy",
  "x-consul-effective-consistency",
  "x-consul-results-filtered-by-acls",
  "x-service-results-filtered-by-acls",
  "x-ratelimit-limit",
];

/** What is another one in every run, by the text itself. The same value gets the same number within a scenario. */
const PATTERNS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["certificate", /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g],
  ["key-id", /\b(?:[0-9a-f]{2}:){19,31}[0-9a-f]{2}\b/g],
  ["token", /\b(?:hv)?[sb]\.[\w-]{20,}/g],
  ["uuid", /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g],
  ["time", /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g],
  ["access-key", /\b(?:AKIA|ASIA|LSIA|LKIA)[A-Z0-9]{12,16}\b/g],
  ["user-id", /\b(?:AIDA|AROA)[A-Z0-9]{12,17}\b/g],
  ["accessor", /\b(?:auth_)?(?:jwt|oidc|aws|cloud|token|system|identity|cubbyhole|approle)_[0-9a-f]{8}\b/g],
  ["entity", /\bentity_[0-9a-f]{8}\b/g],
  ["cluster", /\bvault-cluster-[0-9a-f]{8}\b/g],
  ["parameter", /\bvar-[A-Za-z0-9]{16}\b/g],
  ["address", /\b127\.0\.0\.1:\d{4,5}\b/g],
];

/** A dialer that reaches nobody says so once for every try, and how often it tries differs. */
const DIALS = /\b\d+ errors occurred:(\n\t\* failed to exchange peering secret .*)+/g;

/** Texts that nobody refers to again: all of them read alike. */
const PASSING: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["request-id", /(?<=request id: )[\w-]+/gi],
  ["lease", /(?<=\/(?:creds|sts)\/\w+\/)\w{24}\b/g],
  ["random", /(?<=\/vault-\w+-\w+-)\d{10}-\w{20}\b/g],
];

/** moto answers some calls with the examples of the cloud's manual: such an answer's are taken for new ones, as they would be. */
const EXAMPLE_TOKEN = /"AQo\w*EXAMPLE|"AQoDYXdzE/;
const EXAMPLE = /EXAMPLE/;

/** When a stream last carried something: whether that has moved between two reads is chance. */
const STREAM_TIMES = new Set(["LastHeartbeat", "LastReceive", "LastSend"]);

/** Times of records and tokens: Vault counts nanoseconds, others milliseconds, so which of them coincide is chance. */
const RECORD_TIMES = new Set([
  "created-at",
  "creation_time",
  "expire_time",
  "issue_time",
  "last_renewal",
  "last_update_time",
  "last_updated_time",
  "updated-at",
]);

/** Seconds that are left: rounded up to the minute, because some have passed. */
const SECONDS_LEFT = new Set(["lease_duration", "ttl"]);

/** The same in the words of a warning: the limit of a lease that is some seconds old. */
const LIMIT_LEFT = /(?<=exceeded the effective max_ttl of ")(?:(\d+)h)?(?:(\d+)m)?\d+s(?=")/g;

/** A warning that only a second between two requests has made: without it the limit is what was asked for. */
const CAPPED_BY_SECONDS = /^TTL of "([^"]+)" exceeded the effective max_ttl of "\1"/;

/** What is another one in every run, by the member that holds it. Numbers become 0, so that their type stays. */
const MEMBERS: Readonly<Record<string, string>> = {
  accessor: "accessor",
  CreateIndex: "index",
  Hash: "hash",
  ModifyIndex: "index",
  PeeringToken: "peering-token",
  SerialNumber: "number",
  clock_skew_ms: "milliseconds",
  creation_time: "seconds",
  echo_duration_ms: "milliseconds",
  last_renewal_time: "seconds",
  secret_key: "secret-key",
  security_token: "session-token",
  server_time_utc: "seconds",
  session_token: "session-token",
  wrapped_accessor: "accessor",
};

export interface Scrubber {
  /** From now on these values read `<name>`. */
  know(values: Readonly<Record<string, string>>): void;
  exchange(said: { title: string; request: Exchange["request"]; answer: RawAnswer }): Exchange;
}

/** One for each run of a scenario: it remembers which value got which placeholder. */
export function createScrubber(): Scrubber {
  let known: (readonly [value: string, name: string])[] = [];
  const seen = new Map<string, string>();
  const counts = new Map<string, number>();

  function numbered(name: string, value: string): string {
    const before = seen.get(value);
    if (before !== undefined) return before;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    seen.set(value, `<${name}-${count}>`);
    return `<${name}-${count}>`;
  }

  function text(value: string): string {
    let result = value;
    for (const [secret, name] of known) result = result.replaceAll(secret, `<${name}>`);
    result = result.replace(DIALS, "<dials> errors occurred:$1");
    result = result.replace(LIMIT_LEFT, (_, hours = "0", minutes = "0") =>
      nextMinute(Number(hours) * 60 + Number(minutes)),
    );
    for (const [name, pattern] of PASSING) result = result.replace(pattern, `<${name}>`);
    for (const [name, pattern] of PATTERNS) result = result.replace(pattern, (found) => numbered(name, found));
    return result;
  }

  /** The answers' members are sorted: servers write some of them in random order. */
  function json(value: unknown, member = ""): unknown {
    if (member === "request_id" && value !== "") return "<request-id>";
    if (typeof value === "number" && SECONDS_LEFT.has(member)) return Math.ceil(value / 60) * 60;
    const volatile = Object.hasOwn(MEMBERS, member) ? MEMBERS[member] : undefined;
    if (typeof value === "string") {
      if (STREAM_TIMES.has(member) || RECORD_TIMES.has(member)) return "<time>";
      const result = text(value);
      return volatile === undefined || value === "" || result !== value ? result : numbered(volatile, value);
    }
    if (typeof value === "number") return volatile === undefined ? value : 0;
    if (Array.isArray(value)) {
      const items = value.map((each) => json(each, member));
      const kept = items.filter((item) => typeof item !== "string" || !CAPPED_BY_SECONDS.test(item));
      return kept.length === 0 && items.length > 0 ? null : kept;
    }
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(members.map(([name, each]) => [text(name), json(each, name)]));
  }

  function headers(all: Readonly<Record<string, string>>): Record<string, string> {
    const given = HEADERS.filter((name) => all[name] !== undefined);
    return Object.fromEntries(
      given.map((name) => [name, name === "x-consul-index" ? "<index>" : text(all[name] ?? "")]),
    );
  }

  function body(content: string): unknown {
    try {
      return json(JSON.parse(content));
    } catch {
      return text(content);
    }
  }

  return {
    know(values) {
      const added = Object.entries(values).map(([name, value]) => [value, name] as const);
      // The longest first: an address may be the start of another.
      known = [...new Map([...known, ...added])].sort(([a], [b]) => b.length - a.length);
    },
    exchange({ title, request, answer }) {
      if (EXAMPLE_TOKEN.test(answer.text)) {
        for (const value of seen.keys()) if (EXAMPLE.test(value)) seen.delete(value);
      }
      const sent = request.body === undefined ? {} : { body: json(request.body) };
      return {
        title,
        request: {
          method: request.method,
          path: text(request.path),
          ...(request.headers === undefined ? {} : { headers: json(request.headers) as Record<string, string> }),
          ...sent,
        },
        status: answer.status,
        headers: headers(answer.headers),
        body: body(answer.text),
      };
    },
  };
}

/** As the server writes a duration of whole minutes: `1h`, `1h10m`, `10m`. */
function nextMinute(minutes: number): string {
  const hours = Math.floor((minutes + 1) / 60);
  const rest = (minutes + 1) % 60;
  return `${hours > 0 ? `${hours}h` : ""}${rest > 0 ? `${rest}m` : ""}`;
}
