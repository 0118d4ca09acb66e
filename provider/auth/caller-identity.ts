import { AwsV4Signer } from "aws4fetch";
import type { CloudCaller } from "../core/function";
import type { HttpAnswer, HttpRequest } from "../http/transport";

export interface SigningOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Also `Content-Type`, which is not signed otherwise. */
  readonly signsAll?: boolean;
}

/** The signed question whose credentials these are (GetCallerIdentity), which every caller may ask. */
export async function callerIdentityRequest(
  { endpoint, region, ...caller }: CloudCaller,
  { headers: more = {}, signsAll = false }: SigningOptions = {},
): Promise<HttpRequest & { readonly body: string }> {
  const signer = new AwsV4Signer({
    method: "POST",
    url: endpoint,
    headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8", ...more },
    body: "Action=GetCallerIdentity&Version=2011-06-15",
    service: "sts",
    region,
    accessKeyId: caller.accessKey,
    secretAccessKey: caller.secretKey,
    ...(caller.sessionToken === undefined ? {} : { sessionToken: caller.sessionToken }),
    ...(signsAll ? { allHeaders: true } : {}),
  });
  const { url, headers, body } = await signer.sign();
  return { method: "POST", url, headers: Object.fromEntries(headers), body: String(body) };
}

/** What a token service makes of credentials; `notYet` may become `valid`. `code` is its own word for why. */
export type Verdict = { readonly is: "valid" } | { readonly is: "notYet" | "refused"; readonly code: string };

/** What the cloud says of a key that it does not know yet, or while it has too much to do (AWS STS, common errors). */
const NOT_YET = /^(InvalidClientTokenId|Throttling\w*|ServiceUnavailable)$/;

export function verdictIn({ status, text }: HttpAnswer): Verdict {
  if (status === 200 && text.includes("<GetCallerIdentityResult>")) return { is: "valid" };
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? "no reason";
  return { is: NOT_YET.test(code) ? "notYet" : "refused", code };
}
