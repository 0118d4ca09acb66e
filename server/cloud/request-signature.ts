import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Who has signed a request, and whether a secret key is the one that it was signed with. */
export interface RequestSignature {
  readonly accessKeyId: string;
  /** Of temporary credentials. */
  readonly sessionToken: string | undefined;
  readonly service: string;
  readonly region: string;
  isMadeWith(secretKey: string): boolean;
}

const algorithm = "AWS4-HMAC-SHA256";
const form =
  /^AWS4-HMAC-SHA256 Credential=([^/\s]+)\/(\d{8})\/([^/\s]+)\/([^/\s]+)\/aws4_request,\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/;

/**
 * The cloud's signature of a request without a query, version 4; undefined where it has none. How old it is does not
 * matter: the clock of this server can be moved, the caller's cannot.
 */
export function requestSignature({ method, url, headers }: Request, body: string): RequestSignature | undefined {
  const [, accessKeyId = "", day = "", region = "", service = "", names = "", signature = ""] =
    form.exec(headers.get("authorization") ?? "") ?? [];
  const time = headers.get("x-amz-date") ?? "";
  if (accessKeyId === "" || !time.startsWith(`${day}T`)) return undefined;
  const signed = names.split(";");
  // Headers that change the request must be signed.
  if (!signed.includes("host") || !signed.includes("x-amz-date")) return undefined;
  const lines = signed.map((name) => `${name}:${(headers.get(name) ?? "").trim().replace(/ +/g, " ")}\n`);
  const canonical = [method, new URL(url).pathname, "", lines.join(""), names, sha256(body)].join("\n");
  const text = [algorithm, time, `${day}/${region}/${service}/aws4_request`, sha256(canonical)].join("\n");
  return {
    accessKeyId,
    sessionToken: headers.get("x-amz-security-token") ?? undefined,
    service,
    region,
    isMadeWith(secretKey) {
      const key = [day, region, service, "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secretKey}`);
      return timingSafeEqual(hmac(key, text), Buffer.from(signature, "hex"));
    },
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
