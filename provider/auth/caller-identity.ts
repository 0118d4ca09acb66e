import { AwsV4Signer } from "aws4fetch";
import type { HttpRequest } from "../http/transport";

/** Cloud credentials, and the token service that knows them. */
export interface CloudCaller {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** The signed question whose credentials these are (GetCallerIdentity), which every caller may ask. */
export async function callerIdentityRequest({ endpoint, region, ...caller }: CloudCaller): Promise<HttpRequest> {
  const signer = new AwsV4Signer({
    method: "POST",
    url: endpoint,
    headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    body: "Action=GetCallerIdentity&Version=2011-06-15",
    service: "sts",
    region,
    accessKeyId: caller.accessKey,
    secretAccessKey: caller.secretKey,
    ...(caller.sessionToken === undefined ? {} : { sessionToken: caller.sessionToken }),
  });
  const { url, headers, body } = await signer.sign();
  return { method: "POST", url, headers: Object.fromEntries(headers), body: String(body) };
}
