import { definePath, type Path } from "../framework/backend";
import { durationText } from "../framework/duration-text";
import { DurationFailure, nanosecondsFromText } from "../framework/go-duration";
import { Refusal } from "../framework/refusal";
import type { Storage } from "../framework/storage";

interface LeaseConfig {
  readonly lease: string;
  readonly lease_max: string;
}

const storagePath = "config/lease";

/** `config/lease`: both fields on every write, shown as Go prints durations. */
export function leaseConfigPath(storage: Storage): Path {
  return definePath({
    pattern: "config/lease",
    fields: { lease: "string", lease_max: "string" },
    operations: {
      read: () => {
        const config = storage.get<LeaseConfig>(storagePath);
        return config && { data: { ...config } };
      },
      update: ({ data }) => {
        const names = ["lease", "lease_max"] as const;
        for (const name of names) {
          if (data.get(name) === "") throw new Refusal(`'${name}' is a required parameter`);
        }
        const [lease, lease_max] = names.map((name) => parsedDuration(name, data.get(name)));
        storage.put(storagePath, { lease, lease_max });
        return undefined;
      },
    },
  });
}

/** The lifetimes of a user's lease in seconds; 0 stands for those of the mount. */
export function readLease(storage: Storage): { ttlSeconds: number; maxTtlSeconds: number } {
  const { lease = "", lease_max = "" } = storage.get<LeaseConfig>(storagePath) ?? {};
  return { ttlSeconds: seconds(lease), maxTtlSeconds: seconds(lease_max) };
}

function seconds(text: string): number {
  return Number(nanosecondsFromText(text)) / 1e9;
}

function parsedDuration(name: string, text: string): string {
  try {
    return durationText(nanosecondsFromText(text));
  } catch (failure) {
    if (failure instanceof DurationFailure) throw new Refusal(`Invalid ${name}: ${failure.message}`);
    throw failure;
  }
}
