import type { RecordedCall } from "./recorded-call.mts";

/** What servers make up. The same value gets the same number in all runs of a stack. */
const PATTERNS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["peering-token", /\beyJ[\w+/=]{40,}/g],
  ["uuid", /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g],
  ["access-key", /\bAKIA[A-Z0-9]{12,16}\b/g],
  ["user-id", /\bAIDA[A-Z0-9]{12,17}\b/g],
  ["accessor", /\b(?:auth_)?(?:jwt|aws)_[0-9a-f]{8}\b/g],
  ["parameter", /\bvar-[A-Za-z0-9]{16}\b/g],
  // The one that the server has from the start is always the same.
  ["policy-set", /\bpolset-(?!demo0)[A-Za-z0-9]{16}\b/g],
];

/** Members of requests that are about the engine's own process, or that no release of ours reads. */
const DROPPED = new Set([
  ...["engineAddress", "rootDirectory", "programDirectory", "mapperTarget", "loaderTarget", "resolverTarget"],
  ...["resourceStatusAddress", "resourceStatusToken", "randomSeed", "variables"],
]);

/** One line of the log that `PULUMI_DEBUG_GRPC` writes. */
interface LoggedCall extends RecordedCall {
  readonly progress: string;
  readonly errors?: readonly string[];
}

/** Answers the calls to our plugin in the log of a run. One scrubber is for all runs of a stack, in their order. */
export function createCallScrubber(known: Readonly<Record<string, string>>) {
  const placeholders = new Map(Object.entries(known).map(([name, value]) => [value, `<${name}>`]));
  const counts = new Map<string, number>();

  function numbered(name: string, value: string): string {
    const before = placeholders.get(value);
    if (before !== undefined) return before;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    placeholders.set(value, `<${name}-${count}>`);
    return `<${name}-${count}>`;
  }

  function text(value: string): string {
    const ofRun = Object.entries(known).reduce((sum, [name, secret]) => sum.replaceAll(secret, `<${name}>`), value);
    return PATTERNS.reduce((sum, [name, pattern]) => sum.replace(pattern, (found) => numbered(name, found)), ofRun);
  }

  function scrubbed(value: unknown): unknown {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(scrubbed);
    if (!isRecord(value)) return value;
    const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, scrubbed(member)]));
    return isOfRun(value) ? withoutFingerprints(members) : members;
  }

  /** The fingerprint of what is another one in every run is another one as well. Others must never change. */
  function isOfRun(record: Readonly<Record<string, unknown>>): boolean {
    const { fingerprints } = record;
    if (!isRecord(fingerprints)) return false;
    return Object.keys(fingerprints).some((name) => JSON.stringify(scrubbed(record[name]) ?? "").includes('"<'));
  }

  function withoutFingerprints(record: Record<string, unknown>): Record<string, unknown> {
    const { fingerprintKey, fingerprints } = record;
    if (!isRecord(fingerprintKey) || !isRecord(fingerprints)) return record;
    const names = Object.entries(fingerprints).map(([name, value]) => [name, numbered("fingerprint", String(value))]);
    const key = { ...fingerprintKey, value: numbered("fingerprint-key", String(fingerprintKey["value"])) };
    return { ...record, fingerprintKey: key, fingerprints: Object.fromEntries(names) };
  }

  return (log: string): readonly RecordedCall[] =>
    log
      .trimEnd()
      .split("\n")
      .map((line): LoggedCall => JSON.parse(line))
      .filter(({ method, progress }) => method.includes(".ResourceProvider/") && progress === "response_completed")
      // Its answer is the version, which is another one in the next release.
      .filter(({ method }) => !method.endsWith("/GetPluginInfo"))
      .map(({ method, request, response, errors = [] }) => {
        if (errors.length > 0) throw new Error(`${method} failed: ${errors.join("; ")}`);
        const kept = Object.entries(request).filter(([name]) => !DROPPED.has(name));
        // A record stays a record.
        return scrubbed({ method, request: Object.fromEntries(kept), response }) as unknown as RecordedCall;
      });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
