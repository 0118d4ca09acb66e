import * as z from "zod";
import { isEmpty } from "../../core/canonical";
import { required, row } from "../../core/field";
import { defineFunction, rowsOf } from "../../core/function";
import { lowerCase, string } from "../../core/rows";
import { jwtRole } from "../../resources/jwt/role";

const uri = z
  .string({ error: "must be a string" })
  .refine((value) => URL.canParse(value), { error: "must be a URI such as https://app.example.com/oidc/callback" });

const fields = {
  ...rowsOf(jwtRole.fields, "mount"),
  /** Role to log in with; the auth method's `defaultRole` when unset. @source vault/jwt auth-url */
  role: lowerCase(string("role")),
  /** URI to which the identity provider sends the browser after the login: one of the role's `allowedRedirectUris`. @source vault/jwt auth-url */
  redirectUri: required(row<string>({ place: "body", wire: "redirect_uri", schema: uri })),
  /** Secret text that the callback must repeat, so that nobody else can complete the login. @source vault/jwt auth-url */
  clientNonce: string("client_nonce"),
};

const results = {
  ...rowsOf(jwtRole.fields, "mount"),
  /** URL to open in the browser. It works once, for ten minutes. @source vault/jwt auth-url */
  authUrl: required(string("auth_url")),
};

export const jwtAuthUrl = defineFunction({
  token: "jwt:authUrl",
  dialect: "vault",
  fields,
  results,
  label: "role",
  secrets: { clientNonce: "always" },
  issues: true,
  // After its first checks, the server answers every failure with an empty URL.
  refusal: ({ auth_url }) =>
    isEmpty(auth_url)
      ? "the server gives no address: the role does not allow this redirectUri, or the provider cannot be reached"
      : undefined,
  request: () => ({ method: "POST", path: "auth/{mount}/oidc/auth_url" }),
});
