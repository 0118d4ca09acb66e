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

/** How long what a mount issues lives now, and before. A mount that comes or goes is told by its roles. */
export function mountLifetimes({ was, is, differing }: RecordPair, lifetimes: (typeof LIFETIMES_OF)[number]) {
  const { definition, of, names } = lifetimes;
  if (was === undefined || is === undefined) return [];
  if (definition === definitions.sysSecretsMount && !hasCloudRoles(is)) return [];
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
    const shown = (seconds: number) => (seconds === 0 ? "as long as the server says" : formatDuration(seconds));
    const effect = then === 0 || now === 0 ? "unclear" : now > then ? "gains" : "loses";
    return [{ effect, sentence: `${of(is)} ${verb} ${shown(now)}; before, ${shown(then)}.` }];
  });
}
