import type { Values } from "../../../provider/core/definition";
import { formatDuration } from "../../../provider/core/duration";
import { hasUnknown } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import { inAwsMount } from "../../../provider/resources/cloud/in-aws-mount";
import { HIDDEN_NOW } from "./not-shown";
import type { RecordPair } from "./record-pairs";
import { amountOf } from "./token-lifetimes";
import { code, type Said } from "./trust-change";

/** Other mounts lend nothing, or what no role of ours gives. */
const hasCloudRoles = ({ type }: Values) => hasUnknown(type) || inAwsMount.types.includes(String(type));

const USUAL = "now live, where nothing else is said,";
const MOST = "now live at most";

/** What says how long everything lives that a mount issues. */
export const LIFETIMES_OF = [
  {
    definition: definitions.sysAuthMount,
    of: ({ path }: Values) => `Tokens of ${code(`auth/${String(path)}`)}`,
    names: { defaultLeaseTtl: USUAL, maxLeaseTtl: MOST },
    key: "path",
  },
  {
    definition: definitions.sysSecretsMount,
    of: ({ path }: Values) => `Leases of ${code(path)}`,
    names: { defaultLeaseTtl: USUAL, maxLeaseTtl: MOST },
    key: "path",
  },
  {
    definition: definitions.cloudLeaseConfig,
    of: ({ mount }: Values) => `Credentials of cloud users of ${code(mount)}`,
    names: { lease: USUAL, leaseMax: MOST },
    key: "mount",
  },
] as const;

type Lifetimes = (typeof LIFETIMES_OF)[number];

/** The mount of a record, as the stack has it. */
export interface MountAround {
  /** Before the change. */
  readonly was: Values | undefined;
  /** Nothing was issued there before. */
  readonly isNew: boolean;
  readonly isGone: boolean;
}

/** How long what a mount issues lives now, and before. A mount that comes or goes is told by its roles. */
export function mountLifetimes(pair: RecordPair, lifetimes: Lifetimes, mount: MountAround): readonly Said[] {
  const { was, is, differing } = pair;
  const { definition, of, names } = lifetimes;
  if (is === undefined) {
    // Deleting such a record leaves it where it is: only what somebody else took away is gone.
    if (was === undefined || definition.delete !== "forget" || pair.isLeft || mount.isGone) return [];
    return [{ effect: "unclear", sentence: `${of(was)} now live as long as the mount says: what said it is gone.` }];
  }
  if (definition === definitions.sysSecretsMount && !hasCloudRoles(is)) return [];
  if (was === undefined) return newLifetimes(pair, lifetimes, mount);
  return Object.entries(names).flatMap(([name, verb]): readonly Said[] => {
    const values = [was[name], is[name]];
    if (hasUnknown(values)) {
      const isOther = differing.includes(name) || values.some((value) => !hasUnknown(value));
      return isOther
        ? [{ effect: "unclear", sentence: `How long ${of(is)} live cannot be told: it is ${HIDDEN_NOW}.` }]
        : [];
    }
    const [then, now] = values.map(amountOf);
    if (then === undefined || now === undefined || then === now) return [];
    const effect = then === 0 || now === 0 ? "unclear" : now > then ? "gains" : "loses";
    return [{ effect, sentence: `${of(is)} ${verb} ${shownSeconds(now)}; before, ${shownSeconds(then)}.` }];
  });
}

const shownSeconds = (seconds: number) => (seconds === 0 ? "as long as the server says" : formatDuration(seconds));

/** Which time of a mount counts where a record of its own says none. */
const MOUNTS_OWN: Readonly<Record<string, string>> = { lease: "defaultLeaseTtl", leaseMax: "maxLeaseTtl" };

/** Over what issued before, by times that the stack did not say, or said of the mount only. */
function newLifetimes({ is = {}, outcome }: RecordPair, { definition, of, names }: Lifetimes, mount: MountAround) {
  const isMount = definition !== definitions.cloudLeaseConfig;
  if (outcome === "asDeclared" || (outcome === undefined && (isMount || mount.isNew))) return [];
  return Object.entries(names).flatMap(([name, verb]): readonly Said[] => {
    const [own, its] = [is[name], isMount ? undefined : mount.was?.[MOUNTS_OWN[name] ?? ""]];
    if (hasUnknown(own))
      return [{ effect: "unclear", sentence: `How long ${of(is)} live cannot be told: it is ${HIDDEN_NOW}.` }];
    const [now, then] = [amountOf(own), hasUnknown(its) ? 0 : amountOf(its)];
    // A mount that is taken over may have had a time of its own.
    if (now === undefined || (then && now === then) || (now === 0 && !isMount)) return [];
    const before = then
      ? `this stack said it of the mount only: ${formatDuration(then)}`
      : "this stack did not say how long";
    const effect = then ? (now > then ? "gains" : "loses") : "unclear";
    return [{ effect, sentence: `${of(is)} ${verb} ${shownSeconds(now)}; before, ${before}.` }];
  });
}
