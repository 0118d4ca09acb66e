import type { Row, Sections } from "./section.ts";

/** A field that one family of servers has: its being there is a table that is tested as a whole. */
function onOpenBao(real: string, recording?: string): Row {
  return {
    real,
    evidence: [...(recording ? [recording] : []), "reference secrets 3.7"],
    asserted: "given to OpenBao, refused on Vault with what has it",
  };
}

/** Fields of the three APIs that real servers have and the documents do not. */
export const beyondDocuments = {
  "beyond: jwt.Config": {
    of: ["jwtConfig"],
    rows: {
      jwks_pairs: {
        real: "a fourth source of keys, each set with its own CA; Vault only",
        evidence: ["wire secrets-jwt-config", "wire secrets-jwt-login-keys", "reference secrets 2.1"],
        asserted: "any of the sets verifies; forms that are taken and refused",
      },
      unsupported_critical_cert_extensions: {
        real: "a list, Vault only",
        evidence: ["wire secrets-jwt-config"],
        asserted: "written and read as a list",
      },
      override_allowed_server_names: onOpenBao(
        "names that a server's certificate may have; OpenBao only",
        "wire secrets-jwt-config",
      ),
      skip_jwks_validation: onOpenBao("stores what cannot be fetched, with a warning; never read back; OpenBao only"),
    },
  },
  "beyond: jwt.Role": {
    of: ["jwtRole", "jwtGetRole"],
    rows: {
      user_claim_json_pointer: {
        real: "makes `user_claim` a JSON pointer",
        evidence: ["wire secrets-jwt-login-claims", "reference secrets 3.1"],
        asserted: "on, off, and a pointer to nothing",
      },
      alias_metadata: {
        real: "of plugins after Vault 1.21.4, which ignores it",
        evidence: ["reference secrets 2.3"],
        asserted: "refused where the server does not know it",
      },
      callback_mode: onOpenBao("`client`, `direct` or `device`; OpenBao only", "wire secrets-jwt-role"),
      poll_interval: onOpenBao("seconds between polls of the device flow; OpenBao only"),
      oauth2_metadata: onOpenBao("metadata from the token answer; OpenBao only", "wire secrets-jwt-role"),
      token_policies_template_claims: onOpenBao(
        "policies are templates over claims; OpenBao only",
        "wire secrets-jwt-role",
      ),
      token_strictly_bind_ip: onOpenBao(
        "the token is tied to the caller's address; OpenBao only",
        "wire secrets-jwt-role",
      ),
      oidc_disable_confirmation: onOpenBao("no page of confirmation; newest OpenBao only", "wire secrets-jwt-role"),
    },
  },
  "beyond: cloud.RootConfig": {
    of: ["cloudRootConfig", "cloudRootRotation"],
    evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
    rows: {
      sts_region: {
        real: "Vault since 1.19",
        asserted: "refused on an older release; written, read and reset on a newer one",
      },
      sts_fallback_endpoints: {
        real: "as many as regions; Vault since 1.19",
        asserted: "other numbers are refused, also against what is stored",
      },
      sts_fallback_regions: {
        real: "as many as endpoints; Vault since 1.19",
        asserted: "other numbers are refused, also against what is stored",
      },
      rotation_schedule: {
        real: "Enterprise; the community edition refuses it and stores nothing",
        asserted: "the refusal",
      },
      rotation_window: {
        real: "Enterprise; not without a schedule",
        asserted: "the refusal",
      },
      rotation_period: {
        real: "Enterprise; 0 is taken everywhere",
        asserted: "the refusal, and 0",
      },
      disable_automated_rotation: {
        real: "taken by the community edition, of no effect there",
        asserted: "written and reset",
      },
      access_key: {
        says: "the new key's id is what a rotation returns",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.2"],
        asserted: "kept by cloud.RootRotation, compared with what is configured",
      },
    },
  },
  "beyond: cloud.StaticRole": {
    of: ["cloudStaticRole"],
    evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
    rows: {
      assume_role_arn: {
        real: "Enterprise; the community edition ignores it with a warning and reads it empty",
        asserted: "refused where only Enterprise has it",
      },
      assume_role_session_name: {
        real: "Enterprise; the community edition ignores it with a warning and reads it empty",
        asserted: "refused where only Enterprise has it",
      },
      external_id: {
        real: "Enterprise; the community edition ignores it with a warning and reads it empty",
        asserted: "refused where only Enterprise has it",
      },
      id: {
        real: "the user's id at the cloud, which cannot change",
        asserted: "an output, no input",
      },
    },
  },
} satisfies Sections;
