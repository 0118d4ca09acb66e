import type { CloudIdentity } from "../cloud/cloud-identity";
import { answerTokenService } from "../cloud/token-service";
import { Refusal } from "../framework/refusal";
import type { ClientConfig } from "./client-config";
import type { SignedRequest } from "./signed-request";

export interface CallerIdentity {
  readonly arn: string;
  readonly userId: string;
}

/** Whose a signed request is, as the cloud's token service says, which verifies the signature. @throws Refusal */
export async function callerIdentity(
  { url, body, headers }: SignedRequest,
  { cloud, config }: { readonly cloud: CloudIdentity; readonly config: ClientConfig | undefined },
): Promise<CallerIdentity> {
  const region = endpointRegion(headers.get("Authorization")?.join(",") ?? "", config);
  const sent = new Headers();
  for (const [name, values] of headers) sent.set(name, values.join(","));
  // Go sends the host of the URL, whatever the headers say.
  sent.set("host", url.host);
  const request = new Request(`https://${url.host}${url.path || "/"}`, { method: "POST", headers: sent, body });
  const answer = await answerTokenService(request, cloud, region);
  const text = await answer.text();
  if (answer.status !== 200) {
    throw new Refusal(`error making upstream request: received error code ${answer.status} from STS: ${text}`);
  }
  const member = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? "";
  return { arn: member("Arn"), userId: member("UserId") };
}

/** The region of the endpoint that the server asks; undefined for an endpoint that is none of the cloud's own. */
function endpointRegion(authorization: string, config: ClientConfig | undefined): string | undefined {
  if (config?.use_sts_region_from_client) {
    const region = /Credential=[^/\s]*\/[^/\s]*\/([^/\s]+)/.exec(authorization)?.[1];
    if (region === undefined) throw new Refusal("region missing from Authorization header");
    if (/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region)) return region;
    throw new Refusal(`unable to get regional STS endpoint for region: ${region}`);
  }
  const endpoint = config?.sts_endpoint || "https://sts.amazonaws.com";
  const ofCloud = /^https:\/\/sts\.(?:([a-z0-9-]+)\.)?amazonaws\.com(?:\.cn)?\/?$/.exec(endpoint);
  return ofCloud === null ? undefined : (ofCloud[1] ?? "us-east-1");
}
