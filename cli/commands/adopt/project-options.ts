import type { Found } from "../../sources/servers/found-record";
import type { AdoptFlags } from "./adopt-flags";
import type { HandOver } from "./hand-over";

/** Which records the run was to take. */
export type Selection = Partial<
  Pick<AdoptFlags, "service" | "mount" | "organization" | "policySet" | "include" | "exclude">
>;

/** What a project is made with, beside its program. */
export interface ProjectOptions
  extends Selection,
    Pick<AdoptFlags, "classes" | "fold" | "language">,
    Pick<Found, "leftOut" | "notLookedAt" | "unread"> {
  /** Name of the project. */
  readonly project: string;
  /** With `--diff`, the labels that Terraform's configuration already has, such as `trustplane_jwt_role ci`. */
  readonly taken?: ReadonlySet<string>;
  /** With `--from-state`, what becomes of the old state. */
  readonly handOver?: HandOver;
}
