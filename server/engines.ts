import { createApproleBackend } from "./approle/approle-backend";
import { createAwsBackend } from "./aws/aws-backend";
import type { Environment } from "./aws/root-credentials";
import { createAwsAuthBackend } from "./aws-auth/aws-auth-backend";
import { createCertBackend } from "./cert/cert-backend";
import type { CloudIdentity } from "./cloud/cloud-identity";
import { withoutLacking } from "./framework/lacking";
import { createJwtBackend } from "./jwt/jwt-backend";
import type { SecretsProfile } from "./profiles/secrets-profile";
import type { CatalogEntry, EngineCatalog } from "./sys/engine-catalog";

/** What is mounted at the first start. */
export const startMounts = [
  { kind: "auth", path: "jwt/", type: "jwt" },
  { kind: "secret", path: "cloud/", type: "cloud" },
] as const;

/** The secrets engines and auth methods that can be mounted. */
export function engineCatalog(
  identity: CloudIdentity,
  { profile, environment }: { profile: SecretsProfile; environment: Environment },
): EngineCatalog {
  const { runningVersions, lacks } = profile;
  const cloudEngine: CatalogEntry = {
    runningVersion: runningVersions.builtin,
    create: (options) =>
      withoutLacking(createAwsBackend({ ...options, profile: profile.aws, identity, environment }), lacks.aws),
  };
  const jwtMethod: CatalogEntry = {
    runningVersion: runningVersions.jwt,
    create: (options) => withoutLacking(createJwtBackend({ ...options, profile: profile.jwt }), lacks.jwt),
  };
  const builtin = (create: CatalogEntry["create"]) => ({ runningVersion: runningVersions.builtin, create });
  const awsMethod = builtin((options) =>
    createAwsAuthBackend({ ...options, profile: profile.aws, identity, environment }),
  );
  // `oidc` is another name of the method, for which Vault knows no Go module. `cloud` is this server's own name for `aws`.
  return {
    auth: new Map([
      ["jwt", jwtMethod],
      ["oidc", { ...jwtMethod, runningVersion: runningVersions.builtin }],
      ["approle", builtin(createApproleBackend)],
      ["cert", builtin((options) => withoutLacking(createCertBackend(options), lacks.cert ?? {}))],
      ...(lacks.awsMethod ? [] : [["aws", awsMethod] as const]),
    ]),
    secret: new Map([
      ["aws", cloudEngine],
      ["cloud", cloudEngine],
    ]),
  };
}
