import { AwsV4Signer } from "aws4fetch";
import { ProviderError } from "../core/errors";
import type { ConnectionLogin } from "../core/login-entry";
import { claimsText, file, type IdentityTokenOptions, identityToken, variable } from "./identity-token";

export interface LoginOptions extends IdentityTokenOptions {
  /** Exchanges the token of a wrapped secret ID, which works once, for the secret ID. */
  readonly unwrap: (token: string) => Promise<string>;
}

/** What is shown to an auth method. */
export interface Proof {
  /** As Vault's API names them. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  /** What to compare when the server refuses it. */
  readonly advice?: string;
}

/** Collects what the method of a login needs. @throws ConfigError for what is missing */
export async function proofOf(login: ConnectionLogin, options: LoginOptions): Promise<Proof> {
  const role = login.role === undefined ? {} : { role: login.role };
  switch (login.method) {
    case "jwt":
    case "kubernetes": {
      const token = await identityToken(login, options);
      return { members: { ...role, jwt: token.jwt }, secrets: [token.jwt], advice: claimsText(token) };
    }
    case "approle": {
      const secretId = await secretIdOf(login, options);
      const secret = secretId === undefined ? {} : { secret_id: secretId };
      return { members: { role_id: login.roleId, ...secret }, secrets: secretId === undefined ? [] : [secretId] };
    }
    case "aws":
      return signedProof(login, options);
    case "cert":
      return { members: login.role === undefined ? {} : { name: login.role }, secrets: [] };
  }
}

/** Undefined where the configuration names none: a role may ask for none. */
async function secretIdOf(login: ConnectionLogin, { env, unwrap }: LoginOptions): Promise<string | undefined> {
  const { secretIdEnv, secretIdFile, secretIdWrapped } = login;
  if (secretIdEnv === undefined && secretIdFile === undefined) return undefined;
  const text = secretIdEnv ? variable(secretIdEnv, env, "secretIdEnv") : await file(secretIdFile ?? "");
  return secretIdWrapped ? unwrap(text) : text;
}

const BODY = "Action=GetCallerIdentity&Version=2011-06-15";

/** A signed question to AWS STS, which the server asks in the caller's place. */
async function signedProof({ role, region, serverId }: ConnectionLogin, { env }: LoginOptions): Promise<Proof> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: session } = env;
  if (!accessKeyId || !secretAccessKey) {
    throw new ProviderError(
      "ConfigError",
      "the method aws needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, and AWS_SESSION_TOKEN beside temporary ones",
    );
  }
  const host = region === undefined ? "sts.amazonaws.com" : `sts.${region}.amazonaws.com`;
  const signer = new AwsV4Signer({
    method: "POST",
    url: `https://${host}/`,
    headers: {
      "content-type": "application/x-www-form-urlencoded; charset=utf-8",
      ...(serverId === undefined ? {} : { "x-vault-aws-iam-server-id": serverId }),
    },
    body: BODY,
    service: "sts",
    region: region ?? "us-east-1",
    accessKeyId,
    secretAccessKey,
    ...(session ? { sessionToken: session } : {}),
    // Content-Type is not signed otherwise, and the server demands that what it sends on is.
    allHeaders: true,
  });
  const { url, headers } = await signer.sign();
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const signed = base64(JSON.stringify({ ...Object.fromEntries(headers), host }));
  return {
    members: {
      ...(role === undefined ? {} : { role }),
      iam_http_request_method: "POST",
      iam_request_url: base64(url.href),
      iam_request_body: base64(BODY),
      iam_request_headers: signed,
    },
    // Who has the signed headers can log in with them for some minutes.
    secrets: [secretAccessKey, ...(session ? [session] : []), signed, headers.get("authorization") ?? ""],
  };
}
