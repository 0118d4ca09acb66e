import type { X509Certificate } from "node:crypto";

/** A DER element (X.690). */
interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/** The extensions of a certificate (RFC 5280, 4.1), their content by object identifier: Node shows only some. */
export function extensionsOf({ raw }: X509Certificate): ReadonlyMap<string, Buffer> {
  const [certificate] = elementsIn(raw);
  const [toBeSigned] = elementsIn(certificate?.content);
  const tagged = elementsIn(toBeSigned?.content).find(({ tag }) => tag === 0xa3);
  const [list] = elementsIn(tagged?.content);
  return new Map(
    elementsIn(list?.content).map(({ content }) => {
      const parts = elementsIn(content);
      return [objectId(parts[0]?.content), parts.at(-1)?.content ?? Buffer.alloc(0)];
    }),
  );
}

/** The text that an extension holds; undefined where it holds something else. */
export function textIn(extension: Buffer): string | undefined {
  const [element] = elementsIn(extension);
  return element !== undefined && textTags.has(element.tag) ? element.content.toString("utf8") : undefined;
}

/** UTF8String, NumericString, PrintableString, T61String, IA5String, GeneralString. */
const textTags: ReadonlySet<number> = new Set([0x0c, 0x12, 0x13, 0x14, 0x16, 0x1b]);

/** The purposes that a certificate is limited to; undefined where it is not. */
export function extendedUses(certificate: X509Certificate): readonly string[] | undefined {
  return certificate.keyUsage;
}

export function mayBeClient(uses: readonly string[] | undefined): boolean {
  return uses === undefined || uses.some((use) => use === clientAuthentication || use === anyPurpose);
}

const clientAuthentication = "1.3.6.1.5.5.7.3.2";
const anyPurpose = "2.5.29.37.0";

/** The identifiers of a certificate's own key and of its issuer's, as Vault's metadata shows them. */
export function keyIdentifiers(extensions: ReadonlyMap<string, Buffer>) {
  const own = elementsIn(extensions.get("2.5.29.14"))[0]?.content;
  const [authority] = elementsIn(extensions.get("2.5.29.35"));
  const issuer = elementsIn(authority?.content).find(({ tag }) => tag === 0x80)?.content;
  return { own: hexText(own), issuer: hexText(issuer) };
}

function hexText(bytes: Buffer | undefined): string {
  return bytes?.toString("hex").replace(/..(?=.)/g, "$&:") ?? "";
}

function elementsIn(bytes: Buffer = Buffer.alloc(0)): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at + 1 < bytes.length; ) {
    const first = bytes.readUInt8(at + 1);
    const octets = first < 0x80 ? 0 : first & 0x7f;
    const start = at + 2 + octets;
    if (octets > 4 || start > bytes.length) break;
    const length = octets === 0 ? first : bytes.readUIntBE(at + 2, octets);
    elements.push({ tag: bytes.readUInt8(at), content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

function objectId(bytes: Buffer = Buffer.alloc(0)): string {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0;
  }
  const [head = 0, ...rest] = numbers;
  const first = Math.min(Math.floor(head / 40), 2);
  return [first, head - first * 40, ...rest].join(".");
}
