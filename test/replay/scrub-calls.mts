import type { RecordedCall } from "./recorded-call.mts";
import { createTextScrubber } from "./scrub-text.mts";

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
  const { text, numbered } = createTextScrubber(known);

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
