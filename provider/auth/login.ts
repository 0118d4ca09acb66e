import type { ConnectionLogin } from "../core/login-entry";
import { stsHost } from "../core/sts-host";
import { awsKeys } from "./aws-keys";
import { signingRegion } from "./aws-region";
import { callerIdentityRequest } from "./caller-identity";
import { certificateText, type ShownCertificate } from "./client-certificate";
import { claimsText, type IdentityTokenOptions, identityToken, variable } from "./identity-token";
import { namedFile } from "./token";

export interface LoginOptions extends IdentityTokenOptions {
  /** Exchanges the token of a wrapped secret ID, which works once, for the secret ID. */
  readonly unwrap: (token: string) => Promise<string>;
  readonly certificate: () => ShownCertificate;
}

/** What is shown to an auth method. */
export interface Proof {
  /** As Vault's API names them. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  /** What to compare when the server refuses it with these words. */
  readonly advice?: (refusal: string) => string;
}

/** Collects what the method of a login needs. @throws ConfigError for what is missing */
export async function proofOf(login: ConnectionLogin, options: LoginOptions): Promise<Proof> {
  const role = login.role === undefined ? {} : { role: login.role };
  switch (login.method) {
    case "jwt":
    case "kubernetes": {
      const token = await identityToken(login, options);
      return { members: { ...role, jwt: token.jwt }, secrets: [token.jwt], advice: await claimsText(token) };
    }
    case "approle": {
      const secretId = await secretIdOf(login, options);
      const secret = secretId === undefined ? {} : { secret_id: secretId };
      return { members: { role_id: login.roleId, ...secret }, secrets: secretId === undefined ? [] : [secretId] };
    }
    case "aws":
      return signedProof(login, options);
    case "cert": {
      const text = certificateText(options.certificate());
      return {
        members: login.role === undefined ? {} : { name: login.role },
        secrets: [],
        advice: () => text,
      };
    }
  }
}

/** Undefined where the configuration names none: a role may ask for none. */
async function secretIdOf(login: ConnectionLogin, { env, unwrap }: LoginOptions): Promise<string | undefined> {
  const { secretIdEnv, secretIdFile, secretIdWrapped } = login;
  if (secretIdEnv === undefined && secretIdFile === undefined) return undefined;
  const text = secretIdEnv ? variable(secretIdEnv, env, "secretIdEnv") : await namedFile(secretIdFile ?? "");
  return secretIdWrapped ? unwrap(text) : text;
}

/** A signed question to AWS STS, which the server asks in the caller's place. */
async function signedProof(login: ConnectionLogin, { env }: LoginOptions): Promise<Proof> {
  const { role, serverId } = login;
  const keys = await awsKeys(env);
  const { region, unread } = signingRegion(login.region, env);
  const host = region === undefined ? "sts.amazonaws.com" : stsHost(region);
  const { url, headers, body } = await callerIdentityRequest(
    {
      endpoint: `https://${host}/`,
      region: region ?? "us-east-1",
      ...keys,
    },
    // The server demands that what it sends on is signed.
    { headers: serverId === undefined ? {} : { "x-vault-aws-iam-server-id": serverId }, signsAll: true },
  );
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const signed = base64(JSON.stringify({ ...headers, host }));
  return {
    members: {
      ...(role === undefined ? {} : { role }),
      iam_http_request_method: "POST",
      iam_request_url: base64(url.href),
      iam_request_body: base64(body),
      iam_request_headers: signed,
    },
    // Who has the signed headers can log in with them for some minutes. What is before the signature is known to all:
    // masked, it would take the region out of the advice.
    secrets: [keys.secretKey, ...(keys.sessionToken ? [keys.sessionToken] : []), signed, signatureIn(headers)],
    advice: () =>
      `The login is signed for ${host} and ${serverId === undefined ? "no serverId" : `the serverId "${serverId}"`}: compare that with sts_endpoint and iam_server_id_header_value of the auth method, and whose keys AWS_ACCESS_KEY_ID names with the role.${unread === undefined ? "" : ` ${unread}`}`,
  };
}

function signatureIn(headers: Readonly<Record<string, string>>): string {
  return headers["authorization"]?.split("Signature=")[1] ?? "";
}
