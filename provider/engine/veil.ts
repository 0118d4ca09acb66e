import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

// A journal shows no path. What it says of one can be read by whoever knows the path already.

const CIPHER = "aes-256-gcm";
const [IV_BYTES, TAG_BYTES] = [12, 16];

/** A text that is read with the same name only. */
export function veiled(name: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(name), iv);
  const hidden = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), hidden]).toString("base64url");
}

/** Throws where it is of another name. */
export function unveiled(name: string, veiled: string): string {
  const bytes = Buffer.from(veiled, "base64url");
  const decipher = createDecipheriv(CIPHER, keyOf(name), bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
}

function keyOf(name: string): Buffer {
  return createHash("sha256").update(`veil ${name}`).digest();
}
