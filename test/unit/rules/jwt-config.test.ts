import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import { jwtConfig } from "../../../provider/resources/jwt/config";
import { certificatePem, publicKeyPem } from "../../support/valid-inputs";
import { expectRefusals } from "./expect-refusals";

const key = publicKeyPem();
const url = "https://issuer.example.com";
const secret = randomUUID();

// @covers jwt: Global configuration > one source of keys
describe("a jwt.Config has exactly one source of keys", () => {
  const oneOf = /exactly one source/;
  const at = "jwtValidationPubkeys";
  expectRefusals("jwtConfig", 1, {
    accepted: [
      {},
      { oidcDiscoveryUrl: null, jwksUrl: url },
      { oidcDiscoveryUrl: "", jwtValidationPubkeys: [key] },
      { jwksUrl: "", jwksPairs: [], jwtValidationPubkeys: [] },
      { providerConfig: { provider: "azure" } },
    ],
    refused: [
      [{ oidcDiscoveryUrl: null }, at, /^must be set, or one of/],
      [{ jwksUrl: url }, "jwksUrl", /set together with oidcDiscoveryUrl/],
      [{ jwtValidationPubkeys: [key] }, at, oneOf],
      [{ jwksPairs: [{ jwksUrl: url }] }, "jwksPairs", oneOf],
      [{ oidcDiscoveryUrl: null, jwksUrl: url, jwtValidationPubkeys: [key] }, at, oneOf],
      // OpenBao counts its own cluster's keys as a source.
      [{ providerConfig: { provider: "kubernetes" } }, "oidcDiscoveryUrl", /set together with providerConfig/],
    ],
  });
});

// @covers jwt: Global configuration > oidc_response_mode
describe("a jwt.Config with an OIDC client", () => {
  expectRefusals("jwtConfig", 0, {
    accepted: [
      { oidcResponseMode: "form_post", oidcResponseTypes: ["id_token"], namespaceInState: false },
      { oidcResponseMode: "form_post", oidcResponseTypes: ["code", "id_token"], namespaceInState: false },
      { oidcResponseMode: "query", oidcResponseTypes: ["code"] },
      { oidcResponseTypes: [] },
      { oidcDiscoveryCaPem: certificatePem, defaultRole: "CI", boundIssuer: url },
    ],
    refused: [
      [{ oidcClientSecret: null }, "oidcClientSecret", /belong together/],
      [{ oidcClientId: "" }, "oidcClientId", /belong together/],
      [{ oidcDiscoveryUrl: null, jwksUrl: url }, "oidcClientId", "needs oidcDiscoveryUrl to be set"],
      [{ oidcResponseTypes: ["id_token"] }, "oidcResponseTypes", /only when oidcResponseMode is form_post/],
      [{ oidcResponseTypes: ["code", "id_token"], oidcResponseMode: "query" }, "oidcResponseTypes", /form_post/],
      [{ oidcResponseTypes: ["token"] }, "oidcResponseTypes[0]", 'must be one of "code", "id_token"'],
      [{ oidcResponseMode: "QUERY" }, "oidcResponseMode", 'must be one of "query", "form_post"'],
      [{ oidcResponseMode: "" }, "oidcResponseMode", "must be one of"],
      [{ oidcDiscoveryUrl: "issuer.example.com" }, "oidcDiscoveryUrl", "must be an http or https URL"],
      [{ oidcDiscoveryUrl: "ftp://issuer.example.com" }, "oidcDiscoveryUrl", "must be an http or https URL"],
      [{ oidcDiscoveryUrl: `${url}/.well-known/openid-configuration` }, "oidcDiscoveryUrl", /without the well-known/],
      [{ oidcDiscoveryCaPem: "abc" }, "oidcDiscoveryCaPem", /is not PEM/],
      [{ oidcDiscoveryCaPem: key }, "oidcDiscoveryCaPem", "block 1 is not a certificate"],
      [{ namespaceInState: "false" }, "namespaceInState", "must be true or false"],
    ],
    advised: [
      [{ oidcResponseMode: "form_post" }, "namespaceInState", /should be false/],
      [{ oidcResponseMode: "form_post", namespaceInState: true }, "namespaceInState", /should be false/],
    ],
  });
});

describe("a jwt.Config with a JWKS", () => {
  expectRefusals("jwtConfig", 2, {
    accepted: [{ jwksCaPem: certificatePem }, { jwksCaPem: "" }, { jwksUrl: "http://127.0.0.1:8080/keys?x=1" }],
    refused: [
      [{ jwksUrl: "keys" }, "jwksUrl", "must be an http or https URL"],
      [{ jwksUrl: 5 }, "jwksUrl", "must be a string"],
      [{ jwksCaPem: "abc" }, "jwksCaPem", /is not PEM/],
    ],
  });
});

// @covers beyond: jwt.Config > jwks_pairs
describe("a jwt.Config with several JWKS", () => {
  expectRefusals("jwtConfig", 3, {
    accepted: [{ jwksPairs: [{ jwksUrl: url }, { jwksUrl: url, jwksCaPem: certificatePem }] }],
    refused: [
      [{ jwksCaPem: certificatePem }, "jwksCaPem", "cannot be set together with jwksPairs"],
      [{ boundIssuer: url }, "boundIssuer", "cannot be set together with jwksPairs"],
      [{ jwksPairs: { jwksUrl: url } }, "jwksPairs", /must be a list/],
      [{ jwksPairs: [{ jwksUrl: url }, { jwksUrl: "keys" }] }, "jwksPairs[1].jwksUrl", "must be an http or https URL"],
      [{ jwksPairs: [{ jwksUrl: url, jwksCaPem: "abc" }] }, "jwksPairs[0].jwksCaPem", /is not PEM/],
      [{ jwksPairs: [{}] }, "jwksPairs[0].jwksUrl", "must be an http or https URL"],
      [{ jwksPairs: [{ jwksUrl: url, jwks_ca_pem: "" }] }, "jwksPairs[0]", /jwks_ca_pem/],
      [{ jwksPairs: [url] }, "jwksPairs[0]", /must be/],
    ],
  });
});

describe("a jwt.Config with public keys", () => {
  expectRefusals("jwtConfig", 4, {
    accepted: [
      { jwtValidationPubkeys: [key, certificatePem] },
      { jwtSupportedAlgs: ["ES256", "EdDSA"] },
      { jwtSupportedAlgs: [] },
    ],
    refused: [
      [{ jwtValidationPubkeys: [key, "abc"] }, "jwtValidationPubkeys[1]", /is not PEM/],
      [{ jwtValidationPubkeys: [key + key] }, "jwtValidationPubkeys[0]", /one PEM block/],
      [{ jwtValidationPubkeys: key }, "jwtValidationPubkeys", "must be a list of strings"],
      [{ jwtSupportedAlgs: ["RS256", "HS256"] }, "jwtSupportedAlgs[1]", /must be one of "RS256"/],
      [{ jwtSupportedAlgs: ["es256"] }, "jwtSupportedAlgs[0]", /must be one of/],
      [{ jwtSupportedAlgs: ["none"] }, "jwtSupportedAlgs[0]", /must be one of/],
    ],
  });
});

describe("a jwt.Config with provider options", () => {
  const known = /one of azure, gsuite, secureauth, ibmisam, okta, kubernetes/;
  expectRefusals("jwtConfig", 2, {
    accepted: [{ providerConfig: {} }, { providerConfig: { provider: "gsuite", fetch_groups: true, max: 5 } }],
    refused: [
      [{ providerConfig: { fetch_groups: true } }, "providerConfig.provider", known],
      [{ providerConfig: { provider: "google" } }, "providerConfig.provider", known],
      [
        { providerConfig: { provider: "azure", nested: {} } },
        "providerConfig.nested",
        /must be a string, number or boolean/,
      ],
      [{ providerConfig: "azure" }, "providerConfig", "must be a map of options"],
    ],
  });

  it.each([
    [{ oidcClientSecret: [secret] }],
    [{ providerConfig: { provider: "gsuite", gsuite_service_account: { secret } } }],
    [{ providerConfig: { provider: "x", api_token: secret } }],
    [{ providerConfig: secret }],
  ])("do not show what they hide when they are refused", (changes) => {
    const { failures } = check(jwtConfig, { jwksUrl: url, ...changes });
    expect(failures).not.toEqual([]);
    expect(JSON.stringify(failures)).not.toContain(secret);
  });
});
