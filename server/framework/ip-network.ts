import { isIP } from "node:net";
import { isWithinBounds } from "./bound-address";
import { Failure } from "./refusal";

/** @throws Failure for the first text that Go's `ParseCIDR` does not take. */
export function assertNetworks(texts: readonly string[], problem: string): void {
  const wrong = texts.map((text) => text.trim()).find((text) => networkIn(text) === undefined);
  if (wrong !== undefined) throw new Failure(`${problem}: invalid CIDR address: ${wrong}`);
}

/** Whether each of the networks is inside one of the outer ones. */
export function areWithin(networks: readonly string[], outer: readonly string[]): boolean {
  return networks.every((text) => {
    const inner = networkIn(text);
    if (inner === undefined) return false;
    return outer.some((each) => {
      const around = networkIn(each);
      // Of two networks one is inside the other or they share nothing: one address tells.
      return around !== undefined && around.bits <= inner.bits && isWithinBounds(inner.address, [each]);
    });
  });
}

function networkIn(text: string): { readonly address: string; readonly bits: number } | undefined {
  const [, address = "", digits = ""] = /^([^/]+)\/(\d+)$/.exec(text) ?? [];
  const family = isIP(address);
  const bits = Number(digits);
  return family === 0 || bits > (family === 4 ? 32 : 128) ? undefined : { address, bits };
}
