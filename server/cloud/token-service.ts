import { randomUUID } from "node:crypto";
import { CloudFailure, cloudFailure, unknownKey, wrongRegion, wrongSignature } from "./cloud-failure";
import type { CloudIdentity } from "./cloud-identity";
import { type AccessKey, accountId, type CloudUser } from "./identity-records";
import { requestSignature } from "./request-signature";

/**
 * The one call of the cloud's token service (STS) over HTTP: GetCallerIdentity.
 * @param region of the endpoint that was asked, which signatures must be for; without it they may be for any
 */
export function answerTokenService(request: Request, cloud: CloudIdentity, region?: string): Promise<Response> {
  return answerSigned(request, { service: "sts", action: "GetCallerIdentity", cloud, region }, (key) => {
    const { arn, userId } = cloud.callerIdentity(key);
    return `<Arn>${escaped(arn)}</Arn><UserId>${escaped(userId)}</UserId><Account>${accountId}</Account>`;
  });
}

/** The one call of the cloud's directory (IAM) over HTTP: GetUser, of the caller or of the user that it names. */
export function answerDirectory(request: Request, cloud: CloudIdentity): Promise<Response> {
  return answerSigned(request, { service: "iam", action: "GetUser", cloud, region: undefined }, (key, asked) => {
    const name = asked.get("UserName");
    const isOwn = ({ accessKeys }: CloudUser) => accessKeys.some(({ accessKeyId }) => accessKeyId === key.accessKeyId);
    const user = cloud.users().find((each) => (name === null ? isOwn(each) : each.name === name));
    if (user === undefined && name === null) {
      throw cloudFailure("ValidationError", "Must specify userName when calling with non-User credentials", 400);
    }
    if (user === undefined) throw cloudFailure("NoSuchEntity", `The user with name ${name} cannot be found.`, 404);
    const { path, id, arn } = user;
    const members = { Path: path, UserName: user.name, UserId: id, Arn: arn };
    const texts = Object.entries(members).map(([member, text]) => `<${member}>${escaped(text)}</${member}>`);
    return `<User>${texts.join("")}</User>`;
  });
}

interface Asked {
  readonly service: keyof typeof namespaces;
  /** The only one that it has. */
  readonly action: string;
  readonly cloud: CloudIdentity;
  readonly region: string | undefined;
}

const namespaces = {
  sts: "https://sts.amazonaws.com/doc/2011-06-15/",
  iam: "https://iam.amazonaws.com/doc/2010-05-08/",
} as const;

async function answerSigned(
  request: Request,
  asked: Asked,
  resultFor: (key: AccessKey, asked: URLSearchParams) => string,
): Promise<Response> {
  const namespace = namespaces[asked.service];
  const refusal = (status: number, code: string, message: string) => {
    const error = `<Type>Sender</Type><Code>${escaped(code)}</Code><Message>${escaped(message)}</Message>`;
    const id = `<RequestId>${randomUUID()}</RequestId>`;
    return xml(status, `<ErrorResponse xmlns="${namespace}"><Error>${error}</Error>${id}</ErrorResponse>`);
  };
  const body = await request.text();
  try {
    const key = signerOf(request, body, asked);
    const parameters = new URLSearchParams(body);
    const { action } = asked;
    // A session's key needs its token, and both end.
    asked.cloud.callerIdentity(key);
    if (parameters.get("Action") !== action) {
      return refusal(400, "InvalidAction", `There is no action ${String(parameters.get("Action"))} here.`);
    }
    const result = `<${action}Result>${resultFor(key, parameters)}</${action}Result>`;
    const metadata = `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata>`;
    return xml(200, `<${action}Response xmlns="${namespace}">${result}${metadata}</${action}Response>`);
  } catch (error) {
    if (!(error instanceof CloudFailure)) throw error;
    const [, code = "", message = "", status = "403"] =
      /^(\w+): ([^\n]*)\n\tstatus code: (\d+)/.exec(error.message) ?? [];
    return refusal(Number(status), code, message);
  }
}

/** The key that a request is signed with. @throws CloudFailure */
function signerOf(request: Request, body: string, { service, cloud, region }: Asked): AccessKey {
  const signature = requestSignature(request, body);
  if (signature === undefined || signature.service !== service) throw wrongSignature();
  if (region !== undefined && signature.region !== region) throw wrongRegion();
  const { accessKeyId, sessionToken } = signature;
  const keys: readonly AccessKey[] = [...cloud.users().flatMap((user) => user.accessKeys), ...cloud.sessions()];
  const key = keys.find((known) => known.accessKeyId === accessKeyId);
  // A call of the engine has the secret key with it, so an unknown key can be adopted. A signature has not.
  if (key === undefined) throw unknownKey();
  if (!signature.isMadeWith(key.secretKey)) throw wrongSignature();
  return { accessKeyId, secretKey: key.secretKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

function xml(status: number, text: string): Response {
  return new Response(text, { status, headers: { "content-type": "text/xml" } });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
