import { describe, expect, it } from "vitest";
import { moveResourceState } from "../../../provider/hosts/terraform/move";
import { ORIGINS, PARTS } from "../../../provider/hosts/terraform/origins";
import type { Request } from "../../../provider/hosts/terraform/protocol";
import { readResource } from "../../../provider/hosts/terraform/read";
import { recordIn } from "../../../provider/hosts/terraform/value";
import { definitions } from "../../../provider/resources";
import { hostWith } from "../../support/terraform-host";

const SECRET = "a-secret-of-a-state";
const host = hostWith({ read: async () => undefined });

async function moved(type: string, target: string, attributes: object) {
  const { answer } = await moveResourceState(host, {
    sourceTypeName: type,
    targetTypeName: target,
    sourceState: { json: Buffer.from(JSON.stringify(attributes)) },
  } as Partial<Request> as Request);
  const { targetState, targetPrivate } = answer as { targetState: { msgpack: Uint8Array }; targetPrivate: Uint8Array };
  const record = recordIn(targetState.msgpack) ?? {};
  const set = Object.entries(record).filter(([, value]) => value !== null && value !== false);
  return { record: Object.fromEntries(set), message: targetState, kept: targetPrivate };
}

type Case = readonly [type: string, target: string, attributes: object, id: string, other: object];

/** Attributes as their providers keep them. */
const cases: readonly Case[] = [
  ["vault_policy", "sys_policy", { id: "deploy", name: "deploy" }, "sys/policies/acl/deploy", {}],
  ["vault_auth_backend", "sys_auth_mount", { path: "team/jobs/" }, "sys/auth/team/jobs", { path: "team/jobs" }],
  ["vault_mount", "sys_secrets_mount", { path: "store" }, "sys/mounts/store", {}],
  ["vault_jwt_auth_backend", "sys_auth_mount", { path: "gitlab" }, "sys/auth/gitlab", {}],
  [
    "vault_jwt_auth_backend",
    "jwt_config",
    { path: "gitlab", oidc_client_secret: SECRET, namespace: "team" },
    "auth/gitlab/config",
    {
      mount: "gitlab",
      namespace: "team",
      fingerprints: { oidc_client_secret: expect.stringMatching(/^[0-9a-f]{8}$/) },
    },
  ],
  [
    "vault_jwt_auth_backend_role",
    "jwt_role",
    { backend: "a/b", role_name: "ci" },
    "auth/a/b/role/ci",
    { mount: "a/b" },
  ],
  ["vault_aws_secret_backend", "sys_secrets_mount", { path: "aws" }, "sys/mounts/aws", {}],
  [
    "vault_aws_secret_backend",
    "cloud_root_config",
    { path: "aws", access_key: "AKIA", secret_key: SECRET },
    "aws/config/root",
    { access_key: "AKIA", fingerprints: { access_key: expect.any(String), secret_key: expect.any(String) } },
  ],
  ["vault_aws_secret_backend_role", "cloud_role", { backend: "aws", name: "deploy" }, "aws/roles/deploy", {}],
  [
    "vault_aws_secret_backend_static_role",
    "cloud_static_role",
    { backend: "aws", name: "app", username: "app-user" },
    "aws/static-roles/app",
    { username: "app-user" },
  ],
  ["vault_identity_group", "identity_group", { id: "0a1b", name: "people" }, "identity/group/name/people", {}],
  ["consul_peering", "cluster_peering", { id: "west", peer_name: "west", partition: "" }, "west", {}],
  [
    "consul_peering",
    "cluster_peering",
    { peer_name: "west", partition: "team", peering_token: SECRET },
    "team/west",
    { partition: "team", fingerprints: { peering_token: expect.any(String) } },
  ],
  ["consul_config_entry", "cluster_intention", { kind: "service-intentions", name: "web" }, "web", {}],
  [
    "consul_config_entry_service_intentions",
    "cluster_intention",
    { name: "web", namespace: "team", partition: "" },
    "default/team/web",
    { namespace: "team", destination: "web" },
  ],
  ["consul_config_entry", "cluster_exported_services", { kind: "exported-services", name: "default" }, "default", {}],
  [
    "consul_config_entry_v2_exported_services",
    "cluster_exported_services",
    { name: "team" },
    "team",
    { partition: "team" },
  ],
  [
    "tfe_policy_set",
    "policy_policy_set",
    { id: "polset-1234567890123456", organization: "acme" },
    "acme/polset-1234567890123456",
    { policy_set_id: "polset-1234567890123456", organization: "acme" },
  ],
  [
    "tfe_policy_set_parameter",
    "policy_parameter",
    { id: "var-1", policy_set_id: "polset-1234567890123456", key: "k", value: SECRET, sensitive: true },
    "polset-1234567890123456/var-1",
    { parameter_id: "var-1", sensitive: true, fingerprints: { value: expect.any(String) } },
  ],
];

describe("a record of another provider", () => {
  it.each(cases)("%s becomes trustplane_%s", async (type, name, attributes, id, other) => {
    const { record, message, kept } = await moved(type, `trustplane_${name}`, attributes);
    expect(record).toMatchObject({ id, ...other });
    for (const bytes of [message.msgpack, kept]) expect(Buffer.from(bytes).includes(SECRET)).toBe(false);
  });

  it("has a case for every row, and rows that its table knows", () => {
    const tokens = ORIGINS.map(({ type, token }) => `${type} ${token}`);
    const tokenOf = (name: string) =>
      Object.values(definitions).find(
        ({ token }) => host.tables.resources.get(`trustplane_${name}`)?.definition.token === token,
      )?.token;
    expect([...new Set(cases.map(([type, name]) => `${type} ${tokenOf(name)}`))].sort()).toEqual(tokens.sort());
    for (const { token, from, secrets = {} } of ORIGINS) {
      const definition = Object.values(definitions).find((each) => each.token === token);
      const names = Object.keys({ ...definition?.fields, ...definition?.outputs });
      expect(names).toEqual(expect.arrayContaining([...Object.keys(from), ...Object.keys(secrets)]));
      expect(Object.keys(definition?.secrets ?? {})).toEqual(expect.arrayContaining(Object.keys(secrets)));
    }
  });

  it.each([
    [
      "is another record",
      "vault_policy",
      "trustplane_jwt_role",
      { name: "a" },
      /it is another record\. Move it to trustplane_sys_policy\./,
    ],
    ["is nothing of ours", "vault_token", "trustplane_jwt_role", {}, /Import the record, and remove it from the other/],
    [
      "is of another kind",
      "consul_config_entry",
      "trustplane_cluster_intention",
      { kind: "exported-services", name: "a" },
      /Move it to trustplane_cluster_exported_services/,
    ],
    ["has no address", "vault_policy", "trustplane_sys_policy", { name: "" }, /the state of vault_policy has no name/],
    [
      "is a part of a resource of ours",
      "vault_identity_group_alias",
      "trustplane_identity_group",
      {},
      /property alias/,
    ],
  ] as const)("is refused where it %s", async (_, type, target, attributes, reason) => {
    await expect(moved(type, target, attributes)).rejects.toThrow(reason);
    expect(Object.values(PARTS).every((text) => text.startsWith("it"))).toBe(true);
  });

  it("is never taken for gone before it was read once", async () => {
    const { message, kept } = await moved("vault_policy", "trustplane_sys_policy", { name: "deploy" });
    const request = { typeName: "trustplane_sys_policy", currentState: message, private: kept } as unknown as Request;
    await expect(readResource(host, request)).rejects.toThrow(/there is no sys\/policies\/acl\/deploy/);
    const later = { ...request, private: Buffer.from("{}") } as Request;
    expect((await readResource(host, later)).answer).toEqual({ newState: { msgpack: expect.any(Uint8Array) } });
  });
});
