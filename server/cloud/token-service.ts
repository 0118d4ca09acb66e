import { randomUUID } from "node:crypto";
import { CloudFailure, unknownKey, wrongRegion, wrongSignature } from "./cloud-failure";
import type { CloudIdentity } from "./cloud-identity";
import { type AccessKey, accountId } from "./identity-records";
import { requestSignature } from "./request-signature";

const namespace = "https://sts.amazonaws.com/doc/2011-06-15/";

/**
 * The one call of the cloud's token service (STS) over HTTP: GetCallerIdentity.
 * @param region of the endpoint that was asked, which signatures must be for; without it they may be for any
 */
export async function answerTokenService(request: Request, cloud: CloudIdentity, region?: string): Promise<Response> {
  const body = await request.text();
  try {
    const { arn, userId } = cloud.callerIdentity(signerOf(request, body, { cloud, region }));
    const action = new URLSearchParams(body).get("Action");
    if (action !== "GetCallerIdentity")
      return refusal(400, "InvalidAction", `There is no action ${String(action)} here.`);
    const result = `<Arn>${escaped(arn)}</Arn><UserId>${escaped(userId)}</UserId><Account>${accountId}</Account>`;
    return xml(
      200,
      `<GetCallerIdentityResponse xmlns="${namespace}"><GetCallerIdentityResult>${result}</GetCallerIdentityResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></GetCallerIdentityResponse>`,
    );
  } catch (error) {
    if (!(error instanceof CloudFailure)) throw error;
    const [, code = "", message = "", status = "403"] =
      /^(\w+): ([^\n]*)\n\tstatus code: (\d+)/.exec(error.message) ?? [];
    return refusal(Number(status), code, message);
  }
}

interface Asked {
  readonly cloud: CloudIdentity;
  readonly region: string | undefined;
}

/** The key that a request is signed with. @throws CloudFailure */
function signerOf(request: Request, body: string, { cloud, region }: Asked): AccessKey {
  const signature = requestSignature(request, body);
  if (signature === undefined || signature.service !== "sts") throw wrongSignature();
  if (region !== undefined && signature.region !== region) throw wrongRegion();
  const { accessKeyId, sessionToken } = signature;
  const keys: readonly AccessKey[] = [...cloud.users().flatMap((user) => user.accessKeys), ...cloud.sessions()];
  const key = keys.find((known) => known.accessKeyId === accessKeyId);
  // A call of the engine has the secret key with it, so an unknown key can be adopted. A signature has not.
  if (key === undefined) throw unknownKey();
  if (!signature.isMadeWith(key.secretKey)) throw wrongSignature();
  return { accessKeyId, secretKey: key.secretKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

function refusal(status: number, code: string, message: string): Response {
  const error = `<Type>Sender</Type><Code>${escaped(code)}</Code><Message>${escaped(message)}</Message>`;
  return xml(
    status,
    `<ErrorResponse xmlns="${namespace}"><Error>${error}</Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  );
}

function xml(status: number, text: string): Response {
  return new Response(text, { status, headers: { "content-type": "text/xml" } });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
