import { ProviderError } from "../../core/errors";
import type { HeldRecord } from "../../engine/held-record";

/** What one plan makes of the records that the state has. */
export interface Fates {
  /**
   * Takes note of a resource of the state: of its records, and of those that it has after the apply. Throws where the plan
   * deletes a record for one resource while another one keeps it. The deletion comes in a process that knows of one alone.
   */
  note(resource: PlannedResource): void;
  /** Another plan begins. */
  clear(): void;
}

export interface PlannedResource {
  /** As the state has it in `id`. */
  readonly id: string;
  readonly before: readonly HeldRecord[];
  readonly after: readonly HeldRecord[];
}

interface Fate {
  readonly isDeleted: boolean;
  /** The resource that has said so first. */
  readonly resource: string;
}

export function createFates(): Fates {
  const fates = new Map<string, Fate>();
  return {
    note({ id: resource, before, after }) {
      const left = new Set(after.map(({ key }) => key));
      for (const record of before) {
        const isDeleted = !left.has(record.key);
        // What is only forgotten is no loss to another resource.
        if (isDeleted && !record.isDeletable) continue;
        const first = fates.get(record.key);
        if (first && first.isDeleted !== isDeleted) throw refusal(record, [first.resource, resource]);
        if (!first) fates.set(record.key, { isDeleted, resource });
      }
    },
    clear: () => fates.clear(),
  };
}

function refusal({ title, id }: HeldRecord, resources: readonly string[]): ProviderError {
  const what = `the state has ${title} (${id}) twice, and this plan would delete for one address what the other one keeps`;
  const listed = [...new Set(resources)].map((each) => `\`terraform state list -id='${each}'\``).join(" and ");
  const todo = `Take the address that is too many out of the state with \`terraform state rm\`: the server does not notice`;
  return new ProviderError(
    "InputError",
    `${what}. ${todo}, and a record that the program has is taken over by the next apply. ${listed} shows the addresses.`,
  );
}
