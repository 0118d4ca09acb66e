import { beforeEach, describe, expect, it } from "vitest";
import { type CloudServer, cloudError, documentText, failed, roleArn, startCloud } from "./cloud-server";

let cloud: CloudServer;
beforeEach(async () => {
  cloud = await startCloud();
});

const role = (name: string, fields: Record<string, unknown>) => cloud.ok(`POST cloud/roles/${name}`, fields);

// @covers cloud: Generation parameters > ttl
// @covers cloud: Limits > 3600 seconds
describe("generation parameters: ttl", () => {
  const lifetime = async (request: string, body?: unknown) => (await cloud.ok(request, body)).lease_duration;
  /** The cloud counts in whole seconds, so that one may be missing. */
  const about = (seconds: number) => [seconds - 1, seconds];

  it.each([
    ["the request's, by GET", {}, "GET cloud/creds/r?ttl=30m", undefined, 1800],
    ["the request's, by POST", { default_sts_ttl: "20m" }, "POST cloud/sts/r", { ttl: 1800 }, 1800],
    ["the role's default_sts_ttl when omitted", { default_sts_ttl: "20m" }, "GET cloud/creds/r", undefined, 1200],
    ["3600s when the role has no default", {}, "GET cloud/creds/r", undefined, 3600],
    ["at most the role's max_sts_ttl", { max_sts_ttl: "40m" }, "GET cloud/creds/r?ttl=2h", undefined, 2400],
    ["at most max_sts_ttl also by default", { max_sts_ttl: "40m" }, "GET cloud/creds/r", undefined, 2400],
    ["unlimited by a max_sts_ttl of 0", { max_sts_ttl: 0 }, "GET cloud/creds/r?ttl=12h", undefined, 43_200],
  ])("%s", async (_name, fields, request, body, seconds) => {
    await role("r", { credential_type: "assumed_role", role_arns: roleArn, ...fields });
    expect(await lifetime(request, body)).toBeOneOf(about(seconds));
  });

  // @covers cloud: Role > max_sts_ttl
  it("at most the mount's maximum where the role has none", async () => {
    await cloud.ok("POST sys/mounts/cloud/tune", { max_lease_ttl: "20m", default_lease_ttl: "10m" });
    await role("r", { credential_type: "session_token" });
    expect(await lifetime("GET cloud/creds/r?ttl=2h")).toBeOneOf(about(1200));
  });

  it("beyond the mount's maximum the credentials live on when their lease has ended", async () => {
    await cloud.ok("POST sys/mounts/cloud/tune", { max_lease_ttl: "20m", default_lease_ttl: "10m" });
    await role("r", { credential_type: "session_token", max_sts_ttl: "2h" });
    const { data, lease_duration, warnings } = await cloud.ok("GET cloud/creds/r?ttl=2h");
    expect([data["ttl"], lease_duration]).toEqual([expect.toSatisfy((ttl) => ttl >= 7198), 1200]);
    const wanted =
      /^TTL of "(2h|1h59m59(\.\d+)?s)" exceeded the effective max_ttl of "20m"; TTL value is capped accordingly$/;
    expect(warnings).toEqual([expect.stringMatching(wanted)]);
  });

  // @covers cloud: Generation parameters > ttl
  it("below 900 seconds it is refused by the SDK", async () => {
    await role("r", { credential_type: "session_token" });
    const text = "InvalidParameter: 1 validation error(s) found.\n- minimum field value of 900, GetSessionTokenInput";
    expect(await cloud.call("GET cloud/creds/r?ttl=899")).toMatchObject(
      failed(`Error generating STS keys: ${text}.DurationSeconds.\n`),
    );
    await cloud.ok("GET cloud/creds/r?ttl=900");
  });

  // @covers cloud: Generation parameters > ttl
  it.each([
    ["assumed_role", { role_arns: roleArn }, 43_200, "Error assuming role"],
    ["federation_token", { policy_document: documentText }, 129_600, "Error generating STS keys"],
    ["session_token", {}, 129_600, "Error generating STS keys"],
  ])("the provider places its own maximum on %s", async (credential_type, fields, most, prefix) => {
    await role("r", { credential_type, ...fields });
    await cloud.ok(`GET cloud/creds/r?ttl=${most}`);
    const constraint = `Member must have value less than or equal to ${most}`;
    const text = `1 validation error detected: Value '${most + 1}' at 'durationSeconds' failed to satisfy constraint: ${constraint}`;
    const wanted = failed(`${prefix}: ${cloudError("ValidationError", text)}`);
    expect(await cloud.call(`GET cloud/creds/r?ttl=${most + 1}`)).toMatchObject(wanted);
  });

  it("the provider places a role's own maximum on its sessions", async () => {
    await cloud.admin("PUT cloud/roles", { arn: roleArn, maxSessionSeconds: 7200 });
    await role("r", { credential_type: "assumed_role", role_arns: roleArn });
    await cloud.ok("GET cloud/creds/r?ttl=2h");
    const text = "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.";
    const wanted = failed(`Error assuming role: ${cloudError("ValidationError", text)}`);
    expect(await cloud.call("GET cloud/creds/r?ttl=3h")).toMatchObject(wanted);
  });

  // @covers cloud: Generation parameters > ttl
  it("is ignored for an iam_user", async () => {
    await role("r", { credential_type: "iam_user" });
    expect(await lifetime("GET cloud/creds/r?ttl=5m")).toBe(2_764_800);
  });
});

describe("generation parameters: role_arn", () => {
  // @covers cloud: Generation parameters > role_arn
  it("is optional when the role allows exactly one", async () => {
    await role("r", { credential_type: "assumed_role", role_arns: [roleArn] });
    expect((await cloud.ok("GET cloud/creds/r")).data["arn"]).toContain("assumed-role/deployer/");
  });

  // @covers cloud: Generation parameters > role_arn
  it.each([[[roleArn, `${roleArn}2`]], [[]]])("is required when the role allows %j", async (role_arns) => {
    await role("r", { credential_type: "assumed_role", role_arns });
    const text = "did not supply a role_arn parameter and unable to determine one";
    expect(await cloud.call("GET cloud/creds/r")).toMatchObject(failed(text));
  });

  it("chooses one of several", async () => {
    await role("r", { credential_type: "assumed_role", role_arns: [roleArn, `${roleArn}2`] });
    const { data } = await cloud.ok("POST cloud/sts/r", { role_arn: `${roleArn}2` });
    expect(data["arn"]).toContain("assumed-role/deployer2/");
  });

  it("must match one of the role's", async () => {
    await role("r", { credential_type: "assumed_role", role_arns: roleArn });
    const text = 'role_arn "arn:other" not in allowed role arns for Vault role "r"';
    expect(await cloud.call("GET cloud/creds/r?role_arn=arn:other")).toMatchObject(failed(text));
  });
});

describe("generation parameters: role_session_name", () => {
  beforeEach(() => role("r", { credential_type: "assumed_role", role_arns: roleArn }));
  const session = async (name: string) => {
    const { data } = await cloud.ok("POST cloud/sts/r", { role_session_name: name });
    return String(data["arn"]).split("/").at(-1);
  };

  it("is the session's name, with _ for what the cloud does not take", async () => {
    expect(await session("a b/ü:d")).toBe("a_b___d");
    expect(await session("n".repeat(64))).toBe("n".repeat(64));
  });

  // @covers cloud: Generation parameters > role_session_name
  it("longer than 64 characters: not truncated as the document says, but refused by the provider", async () => {
    const name = "n".repeat(65);
    const constraint = "Member must have length less than or  equal to 64";
    const text = `1 validation error detected: Value '${name}' at 'roleSessionName' failed to satisfy constraint: ${constraint}`;
    expect(await cloud.call("POST cloud/sts/r", { role_session_name: name })).toMatchObject(
      failed(`Error assuming role: ${cloudError("ValidationError", text)}`),
    );
  });

  // @covers cloud: Generation parameters > role_session_name
  it("omitted: generated from the template", async () => {
    expect(await session("")).toMatch(/^vault-root-r-\d{10}-\w{20}$/);
  });
});
