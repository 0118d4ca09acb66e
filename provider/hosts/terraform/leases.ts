import { randomUUID } from "node:crypto";
import type { HeldResult } from "../../engine/function-call";
import { messageOf } from "../../engine/operation";

/** Something that was issued, and when it ends in milliseconds since 1970, where that is known. */
export interface Lease extends HeldResult {
  readonly endsAt?: number;
}

/** What the ephemeral resources of a run have. Terraform is told a name for each, and none of it. */
export interface Leases {
  /** Keeps what was issued until it is ended. */
  put(held: HeldResult): Uint8Array;
  get(name: Uint8Array): Lease | undefined;
  /** Notes for how many seconds from now it lasts after a renewal. */
  renewed(name: Uint8Array, seconds: number): void;
  /** Gives it back. */
  end(name: Uint8Array): Promise<void>;
  /** Gives back what is left, as after a run that was stopped. Answers the reasons why something could not be. */
  endAll(): Promise<readonly string[]>;
}

export function createLeases(): Leases {
  const leases = new Map<string, Lease>();
  const keyOf = (name: Uint8Array) => Buffer.from(name).toString("utf8");
  const end = async (key: string) => {
    const held = leases.get(key);
    leases.delete(key);
    await held?.release?.();
  };
  return {
    put(held) {
      const key = randomUUID();
      leases.set(key, lasting(held, held.seconds));
      return Buffer.from(key);
    },
    get: (name) => leases.get(keyOf(name)),
    renewed(name, seconds) {
      const held = leases.get(keyOf(name));
      if (held) leases.set(keyOf(name), lasting(held, seconds));
    },
    end: (name) => end(keyOf(name)),
    async endAll() {
      const ended = await Promise.allSettled([...leases.keys()].map(end));
      return ended.flatMap((each) => (each.status === "rejected" ? [messageOf(each.reason)] : []));
    },
  };
}

function lasting(held: HeldResult, seconds: number | undefined): Lease {
  return seconds === undefined ? held : { ...held, endsAt: Date.now() + seconds * 1000 };
}
