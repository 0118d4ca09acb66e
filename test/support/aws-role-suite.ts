import { describe, expect, it } from "vitest";
import type { RawApi } from "./contract-raw";

const arnOf = (name: string) => `arn:aws:iam::123456789012:${name}`;
/** Without credentials of its own a server cannot ask for the ID behind an ARN. */
const unresolved = { resolve_aws_unique_ids: false };

interface Read {
  readonly data: Readonly<Record<string, unknown>>;
}

/** The configuration and the roles of the AWS auth method at `aws`, as every Vault keeps them. */
export function describeAwsRoles(raw: () => RawApi): void {
  describe("the configuration", () => {
    const unset = {
      access_key: "",
      endpoint: "",
      iam_endpoint: "",
      sts_endpoint: "",
      sts_region: "",
      use_sts_region_from_client: false,
      iam_server_id_header_value: "",
      allowed_sts_header_values: null,
      max_retries: -1,
      role_arn: "",
      identity_token_audience: "",
      identity_token_ttl: 0,
      rotation_schedule: "",
      rotation_window: 0,
      rotation_period: 0,
      disable_automated_rotation: false,
    };

    it("reads as it was written, without the secret key", async () => {
      const path = "auth/aws/config/client";
      await raw().ask(`DELETE ${path}`);
      expect(await raw().ask(`GET ${path}`)).toMatchObject({ status: 404 });
      await raw().call(`POST ${path}`, {});
      expect(await raw().call(`GET ${path}`)).toMatchObject({ data: unset });
      const given = { access_key: "AKIAX", iam_server_id_header_value: "vault", max_retries: 2 };
      await raw().call(`POST ${path}`, { ...given, secret_key: "s", allowed_sts_header_values: "x-foo-bar,X-AMZ-y" });
      await raw().call(`POST ${path}`, { sts_region: "eu-west-1" });
      expect(((await raw().call(`GET ${path}`)) as Read).data).toEqual({
        ...{ ...unset, ...given },
        sts_region: "eu-west-1",
        allowed_sts_header_values: ["X-Foo-Bar", "X-Amz-Y"],
      });
    });

    it.each<[object, string]>([
      [
        { access_key: "a", identity_token_audience: "x" },
        "only one of 'access_key' or 'identity_token_audience' can be set",
      ],
      [{ identity_token_audience: "x" }, "role_arn must be set when identity_token_audience is set"],
      [
        { role_arn: "r", identity_token_audience: "x" },
        "failed to generate plugin identity token: plugin workload identity not supported in Vault community edition",
      ],
      [
        { rotation_period: "1h" },
        "error registering rotation job: error registering rotation job: rotation manager capabilities not supported in Vault community edition",
      ],
    ])("%j is refused", async (config, error) => {
      await raw().ask("DELETE auth/aws/config/client");
      expect(await raw().ask("POST auth/aws/config/client", config)).toMatchObject({
        status: 400,
        body: { errors: [error] },
      });
    });
  });

  describe("a role", () => {
    it("reads as it was written, under its name in lower case", async () => {
      const bound = { bound_iam_principal_arn: arnOf("user/deployer"), ...unresolved };
      await raw().call("POST auth/aws/role/Mixed", { ...bound, policies: "B,a", ttl: 60 });
      await raw().call("POST auth/aws/role/mixed", { token_max_ttl: 3600 });
      const empty = { inferred_aws_region: "", inferred_entity_type: "", role_tag: "" };
      expect(((await raw().call("GET auth/aws/role/MIXED")) as Read).data).toEqual({
        auth_type: "iam",
        role_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        bound_iam_principal_arn: [arnOf("user/deployer")],
        bound_iam_principal_id: [],
        bound_ec2_instance_id: null,
        ...Object.fromEntries(
          ["account_id", "ami_id", "iam_instance_profile_arn", "iam_role_arn", "region", "subnet_id", "vpc_id"].map(
            (name) => [`bound_${name}`, []],
          ),
        ),
        ...empty,
        ...unresolved,
        allow_instance_migration: false,
        disallow_reauthentication: false,
        token_bound_cidrs: [],
        token_explicit_max_ttl: 0,
        token_no_default_policy: false,
        token_num_uses: 0,
        token_period: 0,
        token_type: "default",
        token_max_ttl: 3600,
        ...{ policies: ["a", "b"], token_policies: ["a", "b"], ttl: 60, token_ttl: 60 },
      });
      expect(((await raw().call("LIST auth/aws/roles")) as Read).data["keys"]).toContain("mixed");
      expect(await raw().ask("DELETE auth/aws/role/mixed")).toMatchObject({ status: 204 });
      expect(await raw().ask("GET auth/aws/role/mixed")).toMatchObject({ status: 404 });
    });

    const someone = { bound_iam_principal_arn: arnOf("user/x"), ...unresolved };
    it.each<[object, string]>([
      [{}, "at least one bound parameter should be specified on the role"],
      [{ auth_type: "foo" }, "unrecognized auth_type: foo"],
      [{ bound_ami_id: "ami-1" }, "specified bound_ami_id but not specifying ec2 auth_type or inferring ec2_instance"],
      [{ ...someone, bound_region: "x" }, "specified bound_region but not specifying ec2 auth_type"],
      [{ ...someone, inferred_aws_region: "x" }, "specified inferred_aws_region but not inferred_entity_type"],
      [{ ...someone, role_tag: "x" }, "tried to enable role_tag when not using ec2 auth method"],
      [
        { ...someone, allow_instance_migration: true },
        "specified allow_instance_migration when not using ec2 auth type",
      ],
      [{ ...someone, max_ttl: "1h", ttl: "2h" }, "ttl should be shorter than max ttl"],
      [
        { ...someone, token_period: "9999h" },
        `period of "9999h0m0s" is greater than the backend's maximum lease TTL of "768h0m0s"`,
      ],
      [
        { bound_iam_principal_arn: "x" },
        `unable to resolve ARN "x" to internal ID: unrecognized arn: contains 1 colon-separated parts, expected 6`,
      ],
      [
        { bound_iam_principal_arn: arnOf("group/x") },
        `unable to resolve ARN "arn:aws:iam::123456789012:group/x" to internal ID: unrecognized principal type: "group"`,
      ],
      [
        { bound_iam_principal_arn: arnOf("user/x") },
        `unable to resolve ARN "arn:aws:iam::123456789012:user/x" to internal ID: unable to fetch current caller: NoCredentialProviders: no valid providers in chain. Deprecated.\n\tFor verbose messaging see aws.Config.CredentialsChainVerboseErrors`,
      ],
    ])("with %j is refused", async (fields, error) => {
      await raw().ask("DELETE auth/aws/config/client");
      const answer = await raw().ask("POST auth/aws/role/refused", fields);
      expect(answer).toMatchObject({ status: 400, body: { errors: [error] } });
    });
  });
}
