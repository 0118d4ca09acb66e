import { changed, defineCase, pathOf, replaced } from "../../support/contract-case.ts";
import { caPem, openIssuer, publicKeyPem } from "../../support/contract-issuer.ts";
import { jwtMount, remount } from "./mounts.ts";

/** The other key sources, of which there must be exactly one. */
const noSource = {
  jwtValidationPubkeys: undefined,
  oidcDiscoveryUrl: undefined,
  oidcDiscoveryCaPem: undefined,
  oidcClientId: undefined,
  oidcClientSecret: undefined,
  jwksUrl: undefined,
  jwksCaPem: undefined,
  jwksPairs: undefined,
};
const keys = [publicKeyPem("ec"), publicKeyPem("rsa")];
const ca = caPem();

export const jwtConfigCase = defineCase("jwtConfig", {
  async prepare(world) {
    const mount = await jwtMount(world);
    const raw = world.raw("secrets");
    const issuer = await openIssuer();
    const path = `auth/${mount}/config`;
    return {
      minimal: { mount, jwtValidationPubkeys: keys.slice(0, 1) },
      full: {
        mount,
        oidcDiscoveryUrl: issuer.url,
        oidcDiscoveryCaPem: ca,
        oidcClientId: world.fresh("client"),
        oidcClientSecret: world.fresh("secret"),
        oidcResponseMode: "form_post",
        oidcResponseTypes: ["id_token", "code"],
        boundIssuer: issuer.url,
        jwtSupportedAlgs: ["RS256", "ES256"],
        defaultRole: "Reader",
        providerConfig: { provider: "secureauth" },
        namespaceInState: false,
        unsupportedCriticalCertExtensions: ["1.2.3.4"],
      },
      id: path,
      record: pathOf("auth/{mount}/config"),
      remove: () => remount(world, `sys/auth/${mount}`),
      async edit() {
        const [key = ""] = keys;
        await raw.call(`POST ${path}`, { jwt_validation_pubkeys: [key], bound_issuer: "https://elsewhere.example" });
        return { jwtValidationPubkeys: [key.trim()], boundIssuer: "https://elsewhere.example" };
      },
    };
  },
  fields: {
    mount: replaced(async (world) => ({ mount: await jwtMount(world) })),
    oidcDiscoveryUrl: changed(async () => ({ oidcDiscoveryUrl: (await openIssuer()).url }), {
      without: { ...noSource, oidcResponseMode: undefined, oidcResponseTypes: undefined, jwtValidationPubkeys: keys },
    }),
    oidcDiscoveryCaPem: changed({ oidcDiscoveryCaPem: ca + caPem() }),
    oidcClientId: changed((world) => ({ oidcClientId: world.fresh("client") }), {
      without: { oidcClientId: undefined, oidcClientSecret: undefined },
    }),
    oidcClientSecret: changed((world) => ({ oidcClientSecret: world.fresh("secret") }), {
      without: { oidcClientId: undefined, oidcClientSecret: undefined },
    }),
    oidcResponseMode: changed({ oidcResponseMode: "query" }, { from: { oidcResponseTypes: ["code"] } }),
    oidcResponseTypes: changed({ oidcResponseTypes: ["code"] }),
    jwksUrl: changed(async () => ({ ...noSource, jwksUrl: (await openIssuer()).jwksUrl }), {
      without: { ...noSource, jwtValidationPubkeys: keys },
    }),
    jwksCaPem: changed(async () => ({ ...noSource, jwksUrl: (await openIssuer()).jwksUrl, jwksCaPem: ca })),
    jwksPairs: changed(
      async () => ({
        ...noSource,
        boundIssuer: undefined,
        jwksPairs: [
          { jwksUrl: (await openIssuer()).jwksUrl, jwksCaPem: ca },
          { jwksUrl: (await openIssuer()).jwksUrl },
        ],
      }),
      { without: { jwksPairs: undefined, jwtValidationPubkeys: keys } },
    ),
    jwtValidationPubkeys: changed(
      { ...noSource, jwtValidationPubkeys: keys },
      { without: { ...noSource, jwtValidationPubkeys: keys.slice(1) } },
    ),
    boundIssuer: changed({ boundIssuer: "https://other.example" }),
    jwtSupportedAlgs: changed({ jwtSupportedAlgs: ["RS256"] }),
    defaultRole: changed({ defaultRole: "writer" }),
    providerConfig: changed({ providerConfig: { provider: "ibmisam" } }),
    namespaceInState: changed({ namespaceInState: true }, { from: { namespaceInState: false } }),
    // @covers beyond: jwt.Config > unsupported_critical_cert_extensions
    unsupportedCriticalCertExtensions: changed({ unsupportedCriticalCertExtensions: ["1.2.3.5"] }),
    // @covers beyond: jwt.Config > override_allowed_server_names
    overrideAllowedServerNames: changed({ overrideAllowedServerNames: ["keys.example"] }),
    // @covers beyond: jwt.Config > skip_jwks_validation
    skipJwksValidation: changed({ skipJwksValidation: true }, { local: true }),
  },
  spellings: [
    {
      title: "a PEM key with and without its final newline",
      one: { ...noSource, jwtValidationPubkeys: keys },
      other: { ...noSource, jwtValidationPubkeys: keys.map((key) => key.trim()) },
    },
    {
      title: "the order of keys",
      one: { ...noSource, jwtValidationPubkeys: keys },
      other: { ...noSource, jwtValidationPubkeys: [...keys].reverse() },
    },
    {
      title: "a CA with and without its final newline",
      one: { oidcDiscoveryCaPem: ca },
      other: { oidcDiscoveryCaPem: ca.trim() },
    },
    // @covers jwt: Global configuration > default_role
    { title: "letter case of the default role", one: { defaultRole: "Reader" }, other: { defaultRole: "reader" } },
    // @covers jwt: Global configuration > oidc_response_types
    {
      title: "the order of response types",
      one: { oidcResponseTypes: ["code", "id_token"] },
      other: { oidcResponseTypes: ["id_token", "code"] },
    },
    { title: "true and an unset flag", one: { namespaceInState: true }, other: { namespaceInState: undefined } },
    { title: "an empty and an unset map", one: { providerConfig: {} }, other: { providerConfig: undefined } },
    { title: "an empty and an unset list", one: { jwtSupportedAlgs: [] }, other: { jwtSupportedAlgs: undefined } },
  ],
  unseen: ["oidcClientSecret"],
  skips: [
    {
      case: "delete removes the record",
      reason: "the API cannot delete a configuration: it is forgotten",
      fails: /to be undefined/,
    },
  ],
  requests: {
    create: ["GET auth/{mount}/config", "POST auth/{mount}/config", "GET auth/{mount}/config"],
    update: ["GET auth/{mount}/config", "POST auth/{mount}/config", "GET auth/{mount}/config"],
    read: ["GET auth/{mount}/config"],
    delete: [],
  },
});
