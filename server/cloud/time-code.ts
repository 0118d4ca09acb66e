import { createHmac, randomBytes } from "node:crypto";

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const stepMs = 30_000;

/** The number of the half minute that a time lies in. */
export function timeStep(timeMs: number): number {
  return Math.floor(timeMs / stepMs);
}

/** The six digits of an MFA device in a half minute (RFC 6238, with SHA-1 as such devices have it). */
export function timeCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", bytesOf(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}

/** A new secret for a device, in base 32. */
export function newTimeSecret(): string {
  return Array.from(randomBytes(32), (byte) => base32.charAt(byte % 32)).join("");
}

export function isTimeSecret(text: string): boolean {
  return /^[A-Z2-7]{16,}$/.test(text);
}

function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret, (character) => base32.indexOf(character).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
