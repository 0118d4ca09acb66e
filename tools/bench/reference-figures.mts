/** Wall seconds of one operation with other providers. */
export interface ReferenceSeconds {
  readonly terraform?: number;
  readonly bridged?: number;
}

/** The operations that are timed. */
export type TimedOperation = "up" | "preview" | "refresh" | "change all" | "destroy" | "up without checkpoints";

/** What the figures of other providers are, for whoever reads them beside ours. */
export const referenceNote =
  "The columns marked ¹ were **measured elsewhere and are not of this run**: the vault providers of their day for Terraform and, " +
  "bridged, for Pulumi, on a machine of the same kind against a real Vault 1.21.4, with jwt roles whose fields are not " +
  "recorded. They show the order of magnitude and are no ratio.";

/** Seconds by number of roles. */
export const referenceSeconds: Readonly<Record<number, Readonly<Partial<Record<TimedOperation, ReferenceSeconds>>>>> = {
  1: { up: { terraform: 0.5, bridged: 2.3 }, preview: { terraform: 0.4, bridged: 2.4 } },
  100: { up: { terraform: 1.8, bridged: 7.4 }, preview: { terraform: 1.3, bridged: 5.6 }, refresh: { bridged: 2.2 } },
  1000: {
    up: { terraform: 31, bridged: 305 },
    preview: { terraform: 9.6, bridged: 49 },
    refresh: { bridged: 19 },
    "change all": { terraform: 73, bridged: 410 },
    destroy: { terraform: 63, bridged: 160 },
    "up without checkpoints": { bridged: 40 },
  },
};

/** Of 1,000 roles. */
export const referenceMemoryMebibytes = { terraform: 290, bridged: 1_416 } as const;
/** Of one role. */
export const referenceStateBytes = { terraform: 1_661, bridged: 2_361 } as const;
