import { BlockList, isIPv6 } from "node:net";
import { canonicalCidr } from "../../../provider/core/cidr";
import { hasUnknown } from "../../../provider/core/unknowns";

/** True where every address of the one block is in the other one. */
export function isBlockWithin(inner: string, outer: string): boolean {
  const [one, other] = [inner, outer].map((text) => canonicalCidr(text) ?? text.trim());
  if (one === other) return true;
  const [small, large] = [partsOf(one), partsOf(other)];
  if (small === undefined || large === undefined || small.family !== large.family || small.bits < large.bits)
    return false;
  const list = new BlockList();
  list.addSubnet(large.address, large.bits, large.family);
  return list.check(small.address, small.family);
}

/** True where the blocks have all addresses of both families. */
export function coversEverybody(blocks: readonly unknown[]): boolean {
  return ["0.0.0.0/0", "::/0"].every((whole) =>
    blocks.some((block) => !hasUnknown(block) && isBlockWithin(whole, String(block))),
  );
}

/** Undefined for an address with a port, which is compared as a text. */
function partsOf(block = "") {
  const [, address = "", bits] = /^([0-9a-f.:]+)(?:\/(\d+))?$/i.exec(block) ?? [];
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  const isAddress = family === "ipv6" || /^\d+\.\d+\.\d+\.\d+$/.test(address);
  return isAddress ? ({ address, family, bits: Number(bits ?? (family === "ipv6" ? 128 : 32)) } as const) : undefined;
}
