import { type Outcome, refused } from "./scenario.mts";

const notAnObject = refused(/400 failed to decode JSON input: json: cannot unmarshal/);
const noSuchToken = refused(/403 permission denied/);
const namespaceUnknown = refused(/404 namespace not found/);
const keySources = refused(/400 exactly one of 'jwt_validation_pubkeys', 'jwks_url/);

/** What the client must make of an answer of OpenBao, where that is another than Vault's: by scenario and step. */
export const openBaoOutcomes: Readonly<
  Record<string, Readonly<Record<string, Exclude<Outcome, "unasked" | "document">>>>
> = {
  "secrets-sys-sealed": {
    "write malformed JSON": refused(/400 failed to decode JSON input: invalid character 'b'/),
  },
  "secrets-transport": {
    "write malformed JSON": refused(/400 failed to decode JSON input: invalid character 'b'/),
    "read a name with two dots": "absent",
    "write an array": notAnObject,
    "write a text": notAnObject,
    "write a word": refused(/400 failed to decode JSON input: invalid character 'w'/),
    "write unclosed JSON": refused(/400 failed to decode JSON input: unexpected EOF/),
    "read with a namespace": namespaceUnknown,
    "write with a namespace": namespaceUnknown,
  },
  "secrets-sys-mounts": {
    "tune sys": refused(/400 cannot tune parameter description of sys\//),
    "tune the cubbyhole": refused(/400 cannot tune parameter description of cubbyhole\//),
    "tune the identities": refused(/400 cannot tune parameter description of identity\//),
  },
  "secrets-tokens": {
    "use it again": noSuchToken,
    "use what another one revoked": noSuchToken,
  },
  "secrets-tokens-and-policies": {
    "write a role with an invalid token": noSuchToken,
    "use a revoked token": noSuchToken,
    "look up with an invalid token": noSuchToken,
    "read a role with an invalid token": noSuchToken,
  },
  "secrets-jwt-config": {
    "write several key sets": keySources,
    "write one key set as an object": keySources,
    "read several key sets": "ok",
    "several key sets with one CA": keySources,
    "several key sets with an issuer": keySources,
    "several key sets that are texts": keySources,
    "several key sets without URL": keySources,
  },
  "secrets-jwt-login-keys": {
    "configure two key sets": keySources,
    "log in with a broken body": refused(/400 failed to decode JSON input: invalid character 'b'/),
    "two key sets: jwt": refused(/400 error validating token: error verifying token sign/),
    "two key sets: jwtEc": refused(/400 error validating token: error verifying token sign/),
  },
  "secrets-jwt-login": {
    "come back with an unknown state": refused(/400 OpenBao login failed\. Expired or missing OAuth sta/),
    "log in with a JWT where people log in": "ok",
  },
  "secrets-jwt-login-claims": {
    "an empty audience, and none is bound": refused(/400 audience claim found in JWT but no audiences bound/),
  },
  "secrets-cloud-config": {
    "read everything": "ok",
    "read everything reset": "ok",
    "refuse an audience beside a key": "ok",
    "refuse an audience without a role": "ok",
    "refuse an identity on the community edition": "ok",
    "refuse endpoints without regions": "ok",
    "refuse a rotation schedule": "ok",
    "refuse a rotation period": "ok",
    "refuse a window without a schedule": "ok",
    "refuse a lifetime that is none": "ok",
  },
  "secrets-cloud-role": {
    "create a session": refused(/400 error\(s\) validating supplied role data: "2 errors/),
    "read a session": "absent",
  },
  "secrets-cloud-role-refused": {
    "a policy for a session": refused(/400 error\(s\) validating supplied role data: "1 error o/),
    "session tags for a user": "ok",
    "an external id for a user": "ok",
    "none was stored": "ok",
  },
};
