import { goValueText } from "../framework/go-format";
import type { SecretsProfile } from "./secrets-profile";
import { vault } from "./vault";

/** Vault 1.19, Community Edition: where its recordings differ from those of 1.21. */
export const olderVault: SecretsProfile = {
  ...vault,
  version: "1.19.0",
  runningVersions: { builtin: "v1.19.0+builtin.vault", jwt: "v0.23.0+builtin" },
  lacks: {
    ...vault.lacks,
    aws: { ...vault.lacks.aws, paths: ["static-roles/?"] },
    cert: { members: { "certs/:name": ["allowed_organizations"] } },
  },
  transport: { ...vault.transport, limitsBodies: false, unparsable: () => "error parsing JSON" },
  policies: {
    ...vault.policies,
    capabilities: vault.policies.capabilities.filter((name) => name !== "recover"),
    takesRepeatedKeys: true,
    comparesMembers: false,
  },
  coercion: {
    ...vault.coercion,
    failure: (field, supplied) => `error converting input ${goValueText(supplied)} for field "${field}"`,
  },
  jwt: { ...vault.jwt, algorithmPrefix: "go-jose/go-jose: " },
  aws: { ...vault.aws, rotationNeedsEndpoint: true },
  identity: { ...vault.identity, findsRootInAnyCase: false },
};
