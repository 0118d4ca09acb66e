import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacking, type ServerInfo } from "../../provider/core/availability.ts";
import type { Definition } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import {
  type LiveVault,
  type LiveVaultVersion,
  liveVaultReleases,
  startLiveVault,
} from "../../tools/live/live-servers.mts";
import { publicKeyPem } from "../support/contract-issuer.ts";
import { type RawApi, rawApi } from "../support/contract-raw.ts";
import { openVaultFields, type VaultFields } from "../support/vault-fields.ts";
import { vaultReleases } from "../support/vault-releases.ts";

/** A set has the rows of its single resource, which stands here itself. */
const onVault = Object.entries<Definition>(definitions).filter(
  ([, { dialect, members }]) => dialect === "vault" && members === undefined,
);

/**
 * The community edition's own description has them, and it stores and shows what is written; but it cannot do what they
 * ask for, and refuses those that would have to do something at once. So the table says Enterprise.
 */
const describedButUseless = [
  "cloudRootConfig.roleArn",
  "cloudRootConfig.identityTokenAudience",
  "cloudRootConfig.identityTokenTtl",
  "cloudRootConfig.rotationSchedule",
  "cloudRootConfig.rotationWindow",
  "cloudRootConfig.rotationPeriod",
  "cloudRootConfig.disableAutomatedRotation",
  "sysSecretsMount.allowedManagedKeys",
];

/** What the server takes beside our rows, each for a reason. */
const withoutRow: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  jwtRole: Object.fromEntries(
    ["bound_cidrs", "max_ttl", "num_uses", "period", "policies", "ttl"].map((old) => [
      old,
      "deprecated twin of token_*",
    ]),
  ),
  cloudRole: { policy: "sent as policy_document", arn: "sent as role_arns or policy_arns" },
  identityGroup: { id: "the id of a group that is there, in place of its name" },
  sysAuthMount: {
    allowed_managed_keys: "Enterprise, and of secrets engines: an auth method cannot be tuned with it",
    external_entropy_access: "Enterprise, and not in the documents",
    force_no_cache: "a setting of secrets engines, shown for auth methods too",
    ...mountSettingsWithoutRow(),
  },
  sysSecretsMount: {
    external_entropy_access: "Enterprise, and not in the documents",
    user_lockout_config: "of auth methods",
    token_type: "a setting of auth methods, which a secrets engine refuses",
    ...mountSettingsWithoutRow(),
  },
};

function mountSettingsWithoutRow(): Readonly<Record<string, string>> {
  return {
    config: "holds the settings when a mount is made",
    plugin_name: "an alias of type",
    ...Object.fromEntries(
      ["counter_reset_duration", "disable", "duration", "threshold"].map((part) => [
        `user_lockout_${part}`,
        "sent inside user_lockout_config",
      ]),
    ),
  };
}

describe.each(vaultReleases)("Vault %s", (version) => {
  let vault: LiveVault;
  let raw: RawApi;
  let fields: VaultFields;

  beforeAll(async () => {
    vault = await startLiveVault(version);
    raw = rawApi("secrets", vault);
    fields = await openVaultFields(raw);
  });
  afterAll(() => vault.close());

  const server: ServerInfo = {
    product: "vault",
    version: liveVaultReleases[version],
    enterprise: false,
    identity: "any",
  };

  // @covers beyond: jwt.Config > unsupported_critical_cert_extensions
  // @covers beyond: jwt.Role > alias_metadata
  it("has every field that the table says it has, and no other", () => {
    const asTheTableSays: string[] = [];
    const asTheServerSays: string[] = [];
    for (const [name, definition] of onVault) {
      const described = fields.of(definition);
      for (const [property, row] of Object.entries(definition.fields)) {
        // An attached part has an endpoint of its own.
        if (row.place !== "body" || property === definition.attached?.property) continue;
        const title = `${name}.${property}`;
        if (row.availability === undefined || lacking(row.availability, server) === undefined)
          asTheTableSays.push(title);
        if (described.has(row.wire) && !describedButUseless.includes(title)) asTheServerSays.push(title);
      }
    }
    expect(asTheTableSays.length).toBeGreaterThan(80);
    expect(asTheServerSays).toEqual(asTheTableSays);
  });

  it("describes what its edition cannot use", () => {
    const described = onVault.flatMap(([name, definition]) =>
      Object.entries(definition.fields).flatMap(([property, { wire }]) =>
        fields.of(definition).has(wire) ? [`${name}.${property}`] : [],
      ),
    );
    expect(describedButUseless.filter((title) => !described.includes(title))).toEqual([]);
  });

  it.each(onVault)("takes nothing for %s that has no row, but for what is listed", (name, definition) => {
    const rows = Object.values(definition.fields).map(({ wire }) => wire);
    const unknown = [...fields.of(definition)].filter((wire) => !rows.includes(wire));
    expect(unknown.sort()).toEqual(Object.keys(withoutRow[name] ?? {}).sort());
  });

  // @covers cloud: What the service does > root credentials
  it.each([
    [{ role_arn: "arn:aws:iam::123456789012:role/r", identity_token_audience: "vault" }, /identity not supported in/],
    [{ rotation_schedule: "0 * * * *" }, /rotation manager capabilities not supported in/],
    [{ rotation_schedule: "0 * * * *", rotation_window: 3600 }, /rotation manager capabilities not supported in/],
    [{ rotation_period: 3600 }, /rotation manager capabilities not supported in/],
  ])("refuses %j, which needs Enterprise", async (body, text) => {
    const answer = await raw.ask("POST aws/config/root", body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toMatch(text);
  });

  // @covers cloud: Root configuration > role_arn
  it.each([
    ["role_arn", "arn:aws:iam::123456789012:role/r", ""],
    ["identity_token_ttl", 60, 0],
    ["disable_automated_rotation", true, false],
  ])("stores %s, which only Enterprise uses, and takes its reset", async (wire, value, empty) => {
    await raw.call("POST aws/config/root", { [wire]: value });
    expect(await raw.call("GET aws/config/root")).toMatchObject({ data: { [wire]: value } });
    await raw.call("POST aws/config/root", { [wire]: empty });
    expect(await raw.call("GET aws/config/root")).toMatchObject({ data: { [wire]: empty } });
  });

  it("drops a field that it does not know without a word, which is why it is refused before it is sent", async () => {
    const role = { role_type: "jwt", user_claim: "sub", bound_audiences: "a" };
    const { status } = await raw.ask("POST auth/jwt/role/ci", { ...role, alias_metadata: { team: "infra" } });
    expect(status).toBe(204);
    expect(await raw.call("GET auth/jwt/role/ci")).not.toHaveProperty("data.alias_metadata");
  });

  // @covers cloud: Endpoints > POST {mount}/config/root
  it("merges writes of a root configuration, as the table says of this release", async () => {
    await raw.call("POST aws/config/root", { access_key: "AKIA", secret_key: "secret", region: "eu-west-1" });
    await raw.call("POST aws/config/root", { max_retries: 4 });
    expect(await raw.call("GET aws/config/root")).toMatchObject({ data: { access_key: "AKIA", region: "eu-west-1" } });
    expect(lacking(definitions.cloudRootConfig.rotation?.since ?? {}, server)).toBeUndefined();
  });

  // @covers beyond: Endpoints > GET {mount}/static-roles?list=true
  it("lists static roles, or has no such list, as the page on compatibility says", async () => {
    const texts: Readonly<Record<LiveVaultVersion, readonly string[]>> = {
      "1.21": [],
      "1.19": ["1 error occurred:\n\t* unsupported path\n\n"],
    };
    expect(await raw.ask("LIST aws/static-roles")).toEqual({ status: 404, body: { errors: texts[version] } });
  });

  // @covers jwt: Global configuration > provider_config
  it("takes roles of session tokens, and refuses providers that it does not know, as the page says", async () => {
    await raw.call("POST aws/roles/session", { credential_type: "session_token" });
    for (const provider of ["kubernetes", "okta"]) {
      const body = { jwt_validation_pubkeys: [publicKeyPem("ec")], provider_config: { provider } };
      const answer = await raw.ask("POST auth/jwt/config", body);
      expect(JSON.stringify(answer.body)).toContain("not found in custom providers");
    }
  });
});
