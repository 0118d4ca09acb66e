import { generateKeyPairSync } from "node:crypto";
import { exportedServices, intention, peeringToken } from "./cluster-kinds.ts";
import { group } from "./group.ts";
import { type Args, type Field, type Kind, list, local, type Stored, seconds, secondsOf, text, word } from "./kind.ts";
import { roleSet } from "./role-set.ts";
import { CLOUD_USERS, POLICY_SETS } from "./world.ts";

const keys = [publicKey(), publicKey()];

function publicKey(): string {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return publicKey.export({ type: "spki", format: "pem" }).toString().trim();
}

const at = (args: Args, name: string) => String(args[name]);

/** A text that is marked by a flag of the class, and not by the program. */
function plainText(arg: string, wire: string): Field {
  const { markable: _, ...field } = text(arg, wire);
  return field;
}

const mountFields = [
  text("description", "description"),
  ...(["default", "max"] as const).map((which) => ({
    ...seconds(`${which}LeaseTtl`, ""),
    // Never more by default than at most.
    value: (n: number) => [undefined, which === "max" ? "4h" : "1h", which === "max" ? 18_000 : 1800][n % 3],
    at: (stored: Stored) => stored.config[`${which}LeaseSeconds`],
  })),
  local("force", (n) => [undefined, true][n % 2]),
];

const jwtRole: Kind = {
  resource: "jwtRole",
  token: "jwt:Role",
  service: "secrets",
  lives: "auth mount",
  names: { arg: "name", pool: ["ci", "app", "deploy"] },
  fixed: () => ({ roleType: "jwt", userClaim: "sub", boundAudiences: ["vault"] }),
  fields: [
    seconds("tokenTtl", "token_ttl"),
    text("boundSubject", "bound_subject"),
    list("tokenPolicies", "token_policies"),
    {
      arg: "boundClaims",
      value: (n, fresh) => (n % 3 === 0 ? undefined : { project: [fresh(), fresh()] }),
      at: (stored) => ({ project: [...(stored.bound_claims?.project ?? [])].sort() }),
      as: (value) => ({ project: [...((value as { project?: string[] })?.project ?? [])].sort() }),
      markable: "last element",
    },
  ],
  secrets: () => [],
  path: (args) => `auth/${at(args, "mount")}/role/${at(args, "name")}`,
  id: (args) => `auth/${at(args, "mount")}/role/${at(args, "name")}`,
};

const jwtConfig: Kind = {
  resource: "jwtConfig",
  token: "jwt:Config",
  service: "secrets",
  lives: "auth mount",
  fixed: () => ({}),
  fields: [
    {
      arg: "jwtValidationPubkeys",
      value: (n) => [[keys[0]], [keys[1]], keys][n % 3],
      at: (stored) => stored.jwt_validation_pubkeys,
      as: (value) => value,
    },
    text("boundIssuer", "bound_issuer"),
    word("defaultRole", "default_role", [undefined, "ci", "app"], ""),
  ],
  secrets: () => [],
  path: (args) => `auth/${at(args, "mount")}/config`,
  id: (args) => `auth/${at(args, "mount")}/config`,
  isForgotten: () => true,
};

const authMount: Kind = {
  resource: "sysAuthMount",
  token: "sys:AuthMount",
  service: "secrets",
  names: { arg: "path", pool: ["team-a", "team-b", "team-c"] },
  fixed: () => ({}),
  fields: [
    {
      arg: "type",
      value: (n) => ["jwt", "oidc"][n % 2],
      at: (stored) => stored.type,
      as: (value) => value,
    },
    ...mountFields,
  ],
  secrets: () => [],
  path: (args) => `sys/auth/${at(args, "path")}/`,
  id: (args) => `sys/auth/${at(args, "path")}`,
};

const secretsMount: Kind = {
  resource: "sysSecretsMount",
  token: "sys:SecretsMount",
  service: "secrets",
  names: { arg: "path", pool: ["cloud-a", "cloud-b", "cloud-c"] },
  fixed: () => ({ type: "aws" }),
  fields: [
    {
      arg: "forceNoCache",
      value: (n) => [undefined, true][n % 2],
      at: (stored) => stored.config.forceNoCache,
      as: (value) => value ?? false,
    },
    ...mountFields,
  ],
  secrets: () => [],
  path: (args) => `sys/mounts/${at(args, "path")}/`,
  id: (args) => `sys/mounts/${at(args, "path")}`,
};

/** The cloud takes any key that it has not seen. */
export function credentialsOf(needle: unknown): { accessKey: string; secretKey: string } {
  return { accessKey: `AKIA${String(needle).toUpperCase().replace("NDL", "")}`, secretKey: String(needle) };
}

const rootConfig: Kind = {
  resource: "cloudRootConfig",
  token: "cloud:RootConfig",
  service: "secrets",
  lives: "secrets mount",
  fixed: () => ({}),
  fields: [
    // One value that stands for both halves of the credentials: `credentialsOf` makes them of it.
    { arg: "credentials", value: (_, fresh) => fresh() },
    word("region", "region", [undefined, "eu-central-1", "us-east-2"], ""),
    {
      arg: "maxRetries",
      value: (n) => [undefined, 3, 7][n % 3],
      at: (stored) => stored.max_retries,
      as: (value) => value ?? -1,
    },
    local("rotatedByServer", (n) => [undefined, true][n % 2]),
    local("onDelete", (n) => [undefined, "forget", "blank"][n % 3]),
  ],
  written: ({ credentials, ...values }) => ({ ...values, ...credentialsOf(credentials) }),
  secrets: () => ["secretKey"],
  path: (args) => `${at(args, "mount")}/config/root`,
  id: (args) => `${at(args, "mount")}/config/root`,
  isForgotten: () => true,
};

const rootRotation: Kind = {
  resource: "cloudRootRotation",
  token: "cloud:RootRotation",
  service: "secrets",
  lives: "secrets mount",
  fixed: () => ({}),
  fields: [local("triggers", (n, fresh) => (n % 3 === 0 ? undefined : { quarter: fresh() }))],
  secrets: () => [],
  path: (args) => `${at(args, "mount")}/config/root`,
  id: (args) => `${at(args, "mount")}/config/rotate-root`,
  isForgotten: () => true,
};

const leaseConfig: Kind = {
  resource: "cloudLeaseConfig",
  token: "cloud:LeaseConfig",
  service: "secrets",
  lives: "secrets mount",
  fixed: () => ({}),
  fields: (["lease", "leaseMax"] as const).map((arg) => ({
    arg,
    value: (n: number) => (arg === "lease" ? ["1h", "30m"] : ["4h", "300m"])[n % 2],
    at: (stored: Stored) => secondsOf(stored[arg === "lease" ? "lease" : "lease_max"]),
    as: secondsOf,
  })),
  secrets: () => [],
  path: (args) => `${at(args, "mount")}/config/lease`,
  id: (args) => `${at(args, "mount")}/config/lease`,
  isForgotten: () => true,
};

const policyOf = (needle: string) => JSON.stringify({ Statement: [{ Effect: "Allow", Sid: needle }] });

const cloudRole: Kind = {
  resource: "cloudRole",
  token: "cloud:Role",
  service: "secrets",
  lives: "secrets mount",
  names: { arg: "name", pool: ["reader", "writer"] },
  fixed: () => ({}),
  fields: [
    {
      // The old form, which is rewritten, and today's one.
      arg: "document",
      value: (n, fresh) => (n % 2 === 0 ? { policy: policyOf(fresh()) } : { policyDocument: policyOf(fresh()) }),
      at: (stored) => stored.policy_document,
      as: (value) => Object.values((value ?? {}) as object)[0] ?? "",
      in: ({ policy, policyDocument }) => ({ policyDocument: policyDocument ?? policy }),
      markable: "whole",
    },
  ],
  written: ({ document, ...values }) => {
    const { policy, policyDocument } = (document ?? {}) as Args;
    return { ...values, ...(policy ? { policy } : { policyDocument, credentialType: "iam_user" }) };
  },
  secrets: () => [],
  path: (args) => `${at(args, "mount")}/role/${at(args, "name")}`,
  id: (args) => `${at(args, "mount")}/roles/${at(args, "name")}`,
};

const staticRole: Kind = {
  resource: "cloudStaticRole",
  token: "cloud:StaticRole",
  service: "secrets",
  lives: "secrets mount",
  names: { arg: "name", pool: CLOUD_USERS },
  fixed: () => ({}),
  fields: [
    {
      ...seconds("rotationPeriod", "rotation_period"),
      value: (n) => ["1h", 7200, "1d"][n % 3],
    },
  ],
  written: (values) => ({ ...values, username: values["name"] }),
  secrets: () => [],
  path: (args) => `${at(args, "mount")}/static-roles/${at(args, "name")}`,
  id: (args) => `${at(args, "mount")}/static-roles/${at(args, "name")}`,
  moves: (args) => [`${at(args, "mount")}/static-creds/${at(args, "name")}`],
};

const parameter: Kind = {
  resource: "policyParameter",
  token: "policy:Parameter",
  service: "policy",
  names: { arg: "key", pool: ["limit", "zone", "owner"] },
  fixed: () => ({ policySetId: POLICY_SETS[0] }),
  fields: [
    plainText("value", "value"),
    {
      arg: "sensitive",
      value: (n) => [undefined, true][n % 2],
      at: (stored) => stored.sensitive,
      as: (value) => value ?? false,
    },
  ],
  secrets: ({ sensitive }) => (sensitive === true ? ["value"] : []),
  path({ policySetId, key, parameterId }, records) {
    const prefix = `policy-sets/${String(policySetId)}/parameters/`;
    if (parameterId !== undefined) return `${prefix}${String(parameterId)}`;
    const found = Object.entries(records).find(
      ([path, record]) => path.startsWith(prefix) && (record as Stored).key === key,
    );
    return found?.[0];
  },
  id: ({ policySetId, key }) => `${String(policySetId)}/${String(key)}`,
};

export const kinds = {
  authMount,
  secretsMount,
  jwtConfig,
  jwtRole,
  roleSet,
  rootConfig,
  rootRotation,
  leaseConfig,
  cloudRole,
  staticRole,
  parameter,
  group,
  intention,
  exportedServices,
  peeringToken,
} satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as KindName[];
