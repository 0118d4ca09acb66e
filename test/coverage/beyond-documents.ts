import type { Row, Sections } from "./section.ts";

const beyond = "not described";

/** A field that one family of servers has: its being there is a table that is tested as a whole. */
function onOpenBao(property: string, real: string, recording?: string): Row {
  return {
    says: beyond,
    real,
    evidence: [...(recording ? [recording] : []), "reference secrets 3.7"],
    asserted: "given to OpenBao, refused on Vault with what has it",
    tests: ["unit/engine/openbao > is given what it alone has", `contract/fields > ${property}`],
  };
}

/** Fields of the three APIs that real servers have and the documents do not. */
export const beyondDocuments = {
  "+ jwt.Config": {
    of: ["jwtConfig"],
    rows: {
      jwks_pairs: {
        says: beyond,
        real: "a fourth source of keys, each set with its own CA; Vault only",
        evidence: ["wire secrets-jwt-config", "wire secrets-jwt-login-keys", "reference secrets 2.1"],
        asserted: "any of the sets verifies; forms that are taken and refused",
        tests: [
          "server/jwt-login-config > jwks_pairs: any of the key sets verifies, each fetched with its own CA",
          "wire secrets-jwt-config > read several key sets",
          "wire secrets-jwt-config > several key sets that are texts",
          "unit/rules/jwt-config > a jwt.Config with several JWKS",
        ],
      },
      unsupported_critical_cert_extensions: {
        says: beyond,
        real: "a list, Vault only",
        evidence: [
          "wire secrets-jwt-config",
          "live/availability > has every field that the table says it has, and no other",
        ],
        asserted: "written and read as a list",
        tests: [
          "wire secrets-jwt-config > read everything",
          "contract/fields > jwtConfig.unsupportedCriticalCertExtensions",
        ],
      },
      override_allowed_server_names: onOpenBao(
        "jwtConfig.overrideAllowedServerNames",
        "names that a server's certificate may have; OpenBao only",
        "wire secrets-jwt-config",
      ),
      skip_jwks_validation: onOpenBao(
        "jwtConfig.skipJwksValidation",
        "stores what cannot be fetched, with a warning; never read back; OpenBao only",
      ),
    },
  },
  "+ jwt.Role": {
    of: ["jwtRole", "jwtGetRole"],
    rows: {
      user_claim_json_pointer: {
        says: beyond,
        real: "makes `user_claim` a JSON pointer",
        evidence: ["wire secrets-jwt-login-claims", "reference secrets 3.1"],
        asserted: "on, off, and a pointer to nothing",
        tests: [
          "server/jwt-login-role > user_claim: is a JSON pointer only with user_claim_json_pointer",
          "wire secrets-jwt-login-claims > the user claim is a pointer, and pointers are off",
        ],
      },
      alias_metadata: {
        says: beyond,
        real: "of plugins after Vault 1.21.4, which ignores it",
        evidence: [
          "reference secrets 2.3",
          "live/availability > has every field that the table says it has, and no other",
        ],
        asserted: "refused where the server does not know it",
        tests: [
          "contract/fields > jwtRole.aliasMetadata",
          "unit/core/availability > of %j is missing on %j, and the reason says who has it",
        ],
      },
      callback_mode: onOpenBao(
        "jwtRole.callbackMode",
        "`client`, `direct` or `device`; OpenBao only",
        "wire secrets-jwt-role",
      ),
      poll_interval: onOpenBao("jwtRole.pollInterval", "seconds between polls of the device flow; OpenBao only"),
      oauth2_metadata: onOpenBao(
        "jwtRole.oauth2Metadata",
        "metadata from the token answer; OpenBao only",
        "wire secrets-jwt-role",
      ),
      token_policies_template_claims: onOpenBao(
        "jwtRole.tokenPoliciesTemplateClaims",
        "policies are templates over claims; OpenBao only",
        "wire secrets-jwt-role",
      ),
      token_strictly_bind_ip: onOpenBao(
        "jwtRole.tokenStrictlyBindIp",
        "the token is tied to the caller's address; OpenBao only",
        "wire secrets-jwt-role",
      ),
      oidc_disable_confirmation: onOpenBao(
        "jwtRole.oidcDisableConfirmation",
        "no page of confirmation; newest OpenBao only",
        "wire secrets-jwt-role",
      ),
    },
  },
  "+ cloud.RootConfig": {
    of: ["cloudRootConfig", "cloudRootRotation"],
    rows: {
      sts_region: {
        says: beyond,
        real: "Vault since 1.19",
        evidence: [
          "wire secrets-cloud-config",
          "reference secrets 4.1",
          "live/newer-field > is refused by the older one before anything is sent, naming the release that has it",
        ],
        asserted: "refused on an older release; written, read and reset on a newer one",
        tests: [
          "contract/completeness > what an older server does not know is refused there, and set by no other test",
          "wire secrets-cloud-config > read everything",
        ],
      },
      sts_fallback_endpoints: {
        says: beyond,
        real: "as many as regions; Vault since 1.19",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "other numbers are refused, also against what is stored",
        tests: [
          "wire secrets-cloud-config > refuse endpoints without regions",
          "server/cloud-config > checks the merged record: a list cannot be cleared without the other",
        ],
      },
      sts_fallback_regions: {
        says: beyond,
        real: "as many as endpoints; Vault since 1.19",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "other numbers are refused, also against what is stored",
        tests: [
          "server/cloud-config > checks the merged record: a list cannot be cleared without the other",
          "contract/cases/cloud-root-config > empty and unset lists",
        ],
      },
      rotation_schedule: {
        says: beyond,
        real: "Enterprise; the community edition refuses it and stores nothing",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "the refusal",
        tests: [
          "wire secrets-cloud-config > refuse a rotation schedule",
          "wire secrets-cloud-config > read what the refusals left",
        ],
      },
      rotation_window: {
        says: beyond,
        real: "Enterprise; not without a schedule",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "the refusal",
        tests: ["wire secrets-cloud-config > refuse a window without a schedule"],
      },
      rotation_period: {
        says: beyond,
        real: "Enterprise; 0 is taken everywhere",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "the refusal, and 0",
        tests: [
          "wire secrets-cloud-config > refuse a rotation period",
          "wire secrets-cloud-config > write rotation that asks for nothing",
        ],
      },
      disable_automated_rotation: {
        says: beyond,
        real: "taken by the community edition, of no effect there",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "written and reset",
        tests: [
          "wire secrets-cloud-config > write rotation that asks for nothing",
          "wire secrets-cloud-config > read everything reset",
        ],
      },
      access_key: {
        says: "the new key's id is what a rotation returns",
        real: "as documented",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.2"],
        asserted: "kept by cloud.RootRotation, compared with what is configured",
        tests: [
          "wire secrets-cloud-rotation > read the configuration with the new key",
          "unit/resources/hooks > that the server has rotated and that is recorded as the live one is no difference",
          "unit/resources/hooks > that moved on the server is drift, unless the program expects it to move",
        ],
      },
    },
  },
  "+ cloud.StaticRole": {
    of: ["cloudStaticRole"],
    rows: {
      assume_role_arn: {
        says: beyond,
        real: "Enterprise; the community edition ignores it with a warning and reads it empty",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "refused where only Enterprise has it",
        tests: ["contract/fields > cloudStaticRole.assumeRoleArn", "wire secrets-cloud-rotation > read"],
      },
      assume_role_session_name: {
        says: beyond,
        real: "Enterprise; the community edition ignores it with a warning and reads it empty",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "refused where only Enterprise has it",
        tests: ["contract/fields > cloudStaticRole.assumeRoleSessionName", "wire secrets-cloud-rotation > read"],
      },
      external_id: {
        says: beyond,
        real: "Enterprise; the community edition ignores it with a warning and reads it empty",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "refused where only Enterprise has it",
        tests: ["contract/fields > cloudStaticRole.externalId", "wire secrets-cloud-rotation > read"],
      },
      id: {
        says: beyond,
        real: "the user's id at the cloud, which cannot change",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "an output, no input",
        tests: [
          "contract/traps/cloud-traps > another user is another static role, and the extra members of an answer are no inputs",
        ],
      },
    },
  },
} satisfies Sections;
