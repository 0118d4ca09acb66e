import type { HclNode } from "./hcl-reader";
import { HclFailure } from "./hcl-scanner";
import { itemsOf, secondsFrom, textsFrom, valuesOf } from "./hcl-values";

/** Vault's Community Edition checks a control group and enforces none. @throws HclFailure */
export function assertControlGroup(groups: readonly HclNode[], granted: readonly string[]): void {
  if (groups.length === 0) return;
  const members = groups.flatMap(itemsOf);
  secondsFrom(valuesOf(members, "ttl"), "error parsing control group max ttl");
  const factors = valuesOf(members, "factor").flatMap(itemsOf);
  for (const { keys } of factors) assertFactor(valuesOf(factors, keys[0] ?? ""), granted);
  if (factors.length === 0) throw new HclFailure("no control group factors provided");
}

function assertFactor(factor: readonly HclNode[], granted: readonly string[]): void {
  const members = factor.flatMap(itemsOf);
  const identity = valuesOf(members, "identity");
  if (identity.length === 0) throw new HclFailure("no control_group factor provided");
  const settings = identity.flatMap(itemsOf);
  const approvals = secondsFrom(valuesOf(settings, "approvals"), "approvals") ?? 0;
  const groups = ["group_ids", "group_names"].flatMap((key) => textsFrom(valuesOf(settings, key), `root.${key}`));
  if (approvals <= 0 || groups.length === 0) {
    throw new HclFailure("must provide more than one identity group and approvals > 0");
  }
  const controlled = textsFrom(valuesOf(members, "controlled_capabilities"), "root.controlled_capabilities");
  if (!controlled.every((capability) => granted.includes(capability))) {
    throw new HclFailure("control group factor capabilities must be a subset of the policy's capabilities");
  }
}
