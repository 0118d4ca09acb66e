import { describe, expect, it } from "vitest";
import { lacking, type ServerInfo } from "../../../provider/core/availability";
import type { Definition, Values } from "../../../provider/core/definition";
import type { Failure } from "../../../provider/core/errors";
import { definitions } from "../../../provider/resources";
import { hostNames, hosts, type ResourceName } from "../../support/contract-host.ts";
import { createStack, InputsRefused } from "../../support/contract-stack.ts";
import type { ContractHost } from "../../support/host-under-test.ts";
import { serve } from "../../support/loopback-server.ts";

/** What OpenBao 2.6.2 answers to anybody: none of Vault's edition and clock members (reference secrets-server 5.2 [XB]). */
const health = {
  initialized: true,
  sealed: false,
  standby: false,
  replication_performance_mode: "disabled",
  replication_dr_mode: "disabled",
  server_time_utc: 1_795_253_925,
  version: "2.6.2",
  cluster_name: "vault-cluster-1",
  cluster_id: "5993d5b3-dc24-1d90-c926-2c54b4fbab28",
};

/** It cannot be built here, so this stands in for it, as far as being asked which server it is. */
async function openBao(version = health.version) {
  const lines: string[] = [];
  const { origin } = await serve(({ method, url, headers }, outgoing) => {
    lines.push(`${method} ${url}${headers["x-vault-token"] === undefined ? "" : " with a token"}`);
    const isHealth = url?.startsWith("/v1/sys/health?");
    outgoing.writeHead(isHealth ? 200 : 404, { "content-type": "application/json" });
    outgoing.end(JSON.stringify(isHealth ? { ...health, version } : { errors: [] }));
  });
  return { config: { secrets: JSON.stringify({ address: origin, maxRetries: 0 }) }, lines };
}

/** What a preview refuses. */
async function failuresOf(host: ContractHost, args: Values): Promise<readonly Failure[]> {
  const refusal = await createStack(host)
    .preview(args)
    .catch((error: unknown) => error);
  return refusal instanceof InputsRefused ? refusal.failures : [];
}

describe.each(hostNames)("OpenBao, through the %s host", (name) => {
  const role = { name: "ci", roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };
  const keys = { jwksPairs: [{ jwksUrl: "https://keys.example" }] };

  // @covers cloud: Role > session_tags
  it.each<[ResourceName, Values, string, string]>([
    ["jwtConfig", keys, "jwksPairs", "Vault 1.16.0 or newer"],
    [
      "jwtRole",
      { ...role, aliasMetadata: { a: "b" } },
      "aliasMetadata",
      "Vault 2.0.0 or newer, or Vault Enterprise 1.21.0 or newer",
    ],
    ["cloudRootConfig", { stsRegion: "eu-west-1" }, "stsRegion", "Vault 1.19.0 or newer"],
    ["cloudRootConfig", { identityTokenTtl: 60 }, "identityTokenTtl", "Vault Enterprise 1.16.0 or newer"],
  ])("is recognised, and %s %j is refused", async (resource, args, property, needs) => {
    const { config, lines } = await openBao();
    const failures = await failuresOf(hosts[name]({ resource, config }), args);
    expect(failures).toEqual([{ property, reason: `needs ${needs}; the server is OpenBao 2.6.2` }]);
    expect(lines).toEqual(["GET /v1/sys/health?standbyok=true&perfstandbyok=true"]);
  });

  // @covers beyond: jwt.Config > override_allowed_server_names
  // @covers beyond: jwt.Config > skip_jwks_validation
  // @covers beyond: jwt.Role > callback_mode
  // @covers beyond: jwt.Role > poll_interval
  // @covers beyond: jwt.Role > oauth2_metadata
  // @covers beyond: jwt.Role > token_policies_template_claims
  // @covers beyond: jwt.Role > token_strictly_bind_ip
  // @covers beyond: jwt.Role > oidc_disable_confirmation
  it("is given what it alone has", async () => {
    const { config } = await openBao();
    const own = { callbackMode: "direct", oauth2Metadata: ["id_token"], oidcDisableConfirmation: true };
    const failures = await failuresOf(hosts[name]({ resource: "jwtRole", config }), { ...role, ...own });
    expect(failures).toEqual([]);
  });

  it("of an older release is not given what came later", async () => {
    const { config } = await openBao("2.4.1");
    const args = { ...role, oidcDisableConfirmation: true };
    const failures = await failuresOf(hosts[name]({ resource: "jwtRole", config }), args);
    const reason = "needs OpenBao 2.5.0 or newer; the server is OpenBao 2.4.1";
    expect(failures).toEqual([{ property: "oidcDisableConfirmation", reason }]);
  });
});

/**
 * What it does not answer of a record, and Vault does: the key lists of the reference, secrets-server 2.2 to 4.6 [XB]; of
 * mounts what its source of 2025 has.
 */
const missing: Readonly<Record<string, readonly string[]>> = {
  jwtConfig: ["jwks_pairs", "unsupported_critical_cert_extensions"],
  jwtRole: ["alias_metadata"],
  cloudRootConfig: [
    "role_arn",
    "identity_token_audience",
    "identity_token_ttl",
    "sts_region",
    "sts_fallback_endpoints",
    "sts_fallback_regions",
    "rotation_schedule",
    "rotation_window",
    "rotation_period",
    "disable_automated_rotation",
  ],
  cloudRole: ["session_tags", "external_id", "mfa_serial_number"],
  cloudStaticRole: ["assume_role_arn", "assume_role_session_name", "external_id"],
  sysAuthMount: ["trim_request_trailing_slashes", "identity_token_key"],
  sysSecretsMount: [
    "trim_request_trailing_slashes",
    "identity_token_key",
    "allowed_managed_keys",
    "delegated_auth_accessors",
  ],
};

it.each(Object.entries<Definition>(definitions))(
  "the table says of %s that OpenBao lacks what the reference says",
  (name, { fields, dialect }) => {
    const server: ServerInfo = { product: "openbao", version: "2.6.2", enterprise: false, identity: "any" };
    const lacks = Object.values(fields).filter(
      ({ availability }) => availability !== undefined && lacking(availability, server) !== undefined,
    );
    expect(lacks.map(({ wire }) => wire)).toEqual(dialect === "vault" ? (missing[name] ?? []) : []);
  },
);
