import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type CloudServer, roleArn, startCloud } from "./cloud-server";

let cloud: CloudServer;

describe("authentication: the sources of root credentials", () => {
  const environment = { CLOUD_ACCESS_KEY: "AKIAFROMENVIRONMENT", CLOUD_SECRET_KEY: "secret" };
  const issuedTo = async () => {
    await cloud.ok("GET cloud/creds/s");
    return cloud.server.cloud.sessions().at(-1)?.issuedTo.split("/").at(-1);
  };
  async function start(options: Parameters<typeof startCloud>[0], { isConfigured = false } = {}) {
    cloud = await startCloud(options);
    if (!isConfigured) await cloud.ok("POST cloud/config/root", { access_key: "", secret_key: "" });
    await cloud.ok("POST cloud/roles/s", { credential_type: "session_token" });
    await cloud.ok("POST cloud/roles/u", { credential_type: "iam_user" });
    await cloud.ok("POST cloud/roles/a", { credential_type: "assumed_role", role_arns: roleArn });
  }
  function credentialsFile(text: string): string {
    const folder = mkdtempSync(join(tmpdir(), "trustplane-credentials-"));
    files.push(folder);
    const file = join(folder, "credentials");
    writeFileSync(file, text);
    return file;
  }
  const files: string[] = [];
  beforeEach(() => () => {
    for (const folder of files.splice(0)) rmSync(folder, { recursive: true });
  });

  // @covers cloud: Authentication > 1: configured keys
  it("1: static credentials in the configuration come first", async () => {
    await start({ environment }, { isConfigured: true });
    expect(await issuedTo()).toBe("root");
  });

  // @covers cloud: What the service does > root credentials
  // @covers cloud: Authentication > 2: workload identity
  it("2: workload identity federation is an Enterprise function", async () => {
    await start({ environment });
    expect(
      await cloud.call("POST cloud/config/root", { identity_token_audience: "a", role_arn: roleArn }),
    ).toMatchObject({
      status: 400,
      errors: [
        "failed to generate plugin identity token: plugin workload identity not supported in Vault community edition",
      ],
    });
  });

  // @covers cloud: Authentication > 3: environment
  it("3: then CLOUD_ACCESS_KEY and CLOUD_SECRET_KEY of the server's environment", async () => {
    const file = credentialsFile("[default]\naws_access_key_id = AKIAFROMFILE\naws_secret_access_key = x\n");
    await start({ environment: { ...environment, CLOUD_SHARED_CREDENTIALS_FILE: file } });
    expect(await issuedTo()).toBe("root-AKIAFROMENVIRONMENT");
    await cloud.ok("GET cloud/creds/u");
    expect(cloud.made()).toHaveLength(1);
  });

  // @covers cloud: Authentication > 4: shared file
  it("4: then the shared credentials file", async () => {
    const file = credentialsFile(
      "[other]\naws_access_key_id=AKIAOTHER\naws_secret_access_key=y\n[default]\naws_access_key_id = AKIAFROMFILE\naws_secret_access_key = x\n",
    );
    await start({ environment: { CLOUD_SHARED_CREDENTIALS_FILE: file } });
    expect(await issuedTo()).toBe("root-AKIAFROMFILE");
    await start({ environment: { CLOUD_SHARED_CREDENTIALS_FILE: file, CLOUD_PROFILE: "other" } });
    expect(await issuedTo()).toBe("root-AKIAOTHER");
  });

  // @covers cloud: Authentication > 5: role of the machine
  it("5: then the role that the machine was assigned", async () => {
    await start({ environment: { CLOUD_SHARED_CREDENTIALS_FILE: "/nowhere" } });
    await cloud.admin("PUT cloud/assigned-role", { arn: "arn:aws:iam::123456789012:role/machine" });
    await cloud.ok("GET cloud/creds/a");
    expect(cloud.server.cloud.sessions().at(-1)?.issuedTo).toBe(
      "arn:aws:sts::123456789012:assumed-role/machine/machine",
    );
    const denied = /^Error generating STS keys: AccessDenied: Cannot call GetSessionToken with session credentials/;
    expect(await cloud.call("GET cloud/creds/s")).toMatchObject({ errors: [expect.stringMatching(denied)] });
  });

  // @covers cloud: Authentication > 5: role of the machine
  it("without any, every type says so when credentials are asked for", async () => {
    await start({});
    expect(await cloud.call("GET cloud/creds/s")).toMatchObject({
      status: 400,
      errors: ["could not obtain sts client"],
    });
    const text = /^Error creating IAM user: NoCredentialProviders: no valid providers in chain/;
    expect(await cloud.call("GET cloud/creds/u")).toMatchObject({ status: 400, errors: [expect.stringMatching(text)] });
  });

  it("credentials from elsewhere are not rotated", async () => {
    await start({ environment });
    expect(await cloud.call("POST cloud/config/rotate-root")).toMatchObject({
      status: 400,
      errors: ["Cannot call config/rotate-root when either access_key or secret_key is empty"],
    });
  });

  // @covers cloud: Authentication > credentials are not checked
  it("the configuration call does not check the credentials; their first use does", async () => {
    await start({}, { isConfigured: true });
    await cloud.ok("POST cloud/config/root", { secret_key: "wrong" });
    expect(await cloud.call("GET cloud/creds/s")).toMatchObject({
      status: 400,
      errors: ["could not obtain sts client"],
    });
    const text = /^Error creating IAM user: SignatureDoesNotMatch: /;
    expect(await cloud.call("GET cloud/creds/u")).toMatchObject({ status: 400, errors: [expect.stringMatching(text)] });
  });

  it("the cloud is asked once who the caller is: a key lost later fails in the call itself", async () => {
    await start({}, { isConfigured: true });
    await cloud.ok("GET cloud/creds/s");
    cloud.server.cloud.removeUser("root");
    const text = /^Error generating STS keys: InvalidClientTokenId: /;
    expect(await cloud.call("GET cloud/creds/s")).toMatchObject({ status: 400, errors: [expect.stringMatching(text)] });
    await cloud.ok("POST cloud/config/root", {});
    expect(await cloud.call("GET cloud/creds/s")).toMatchObject({ errors: ["could not obtain sts client"] });
  });
});

// @covers cloud: Root configuration > max_retries
describe("root configuration: max_retries", () => {
  const throttled = expect.stringMatching(/: Throttling: Rate exceeded\n\tstatus code: 400, request id: <id>$/);
  // @covers cloud: Errors > other status codes
  it.each([
    ["-1 falls back to the SDK's default of three", -1, 3],
    ["the default is -1", undefined, 3],
    ["0 is none", 0, 0],
    ["any other number is that many", 5, 5],
  ])(
    "%s: a call is made again as often while the cloud throttles it, then answered with 502",
    async (_name, max_retries, most) => {
      cloud = await startCloud();
      await cloud.ok("POST cloud/config/root", max_retries === undefined ? {} : { max_retries });
      await cloud.ok("POST cloud/roles/u", { credential_type: "iam_user" });
      await cloud.ok("POST cloud/roles/s", { credential_type: "session_token" });
      await cloud.ok("GET cloud/creds/s");
      await cloud.admin("PUT cloud/throttle", { calls: most });
      await cloud.ok("GET cloud/creds/u");
      await cloud.admin("PUT cloud/throttle", { calls: most + 1 });
      expect(await cloud.call("GET cloud/creds/u")).toMatchObject({ status: 502, errors: [throttled] });
      await cloud.admin("PUT cloud/throttle", { calls: most + 1 });
      expect(await cloud.call("GET cloud/creds/s")).toMatchObject({ status: 502, errors: [throttled] });
      await cloud.ok("GET cloud/creds/s");
    },
  );
});

// @covers cloud: Root configuration > region
describe("root configuration: region", () => {
  const variables = { CLOUD_REGION: "eu-west-1", CLOUD_DEFAULT_REGION: "eu-west-2" };
  const endpoint = { sts_endpoint: "http://sts.example" };
  it.each([
    ["the configured one comes first", { region: "eu-west-3" }, variables, "eu-west-3"],
    ["then CLOUD_REGION", {}, variables, "eu-west-1"],
    ["then CLOUD_DEFAULT_REGION", {}, { CLOUD_DEFAULT_REGION: "eu-west-2" }, "eu-west-2"],
    ["then us-east-1", {}, {}, "us-east-1"],
    ["sts_region wins beside an sts_endpoint", { ...endpoint, region: "a", sts_region: "b" }, variables, "b"],
    ["sts_region counts for nothing without one", { region: "a", sts_region: "b" }, variables, "a"],
    [
      "the first of several that are paired with endpoints",
      { ...endpoint, region: "a", sts_fallback_endpoints: ["http://b.example"], sts_fallback_regions: ["b"] },
      {},
      "a",
    ],
  ])("%s", async (_name, config, environment, region) => {
    cloud = await startCloud({ environment });
    await cloud.ok("POST cloud/config/root", config);
    await cloud.ok("POST cloud/roles/s", { credential_type: "session_token" });
    await cloud.ok("GET cloud/creds/s");
    expect(cloud.server.cloud.sessions()).toMatchObject([{ region }]);
    expect((await cloud.ok("GET cloud/config/root")).data["region"]).toBe("region" in config ? config.region : "");
  });

  // @covers cloud: Root configuration > sts_endpoint
  it("regions that do not pair with endpoints are refused when they are needed", async () => {
    cloud = await startCloud();
    const fallback = { sts_fallback_endpoints: ["http://b.example"], sts_fallback_regions: ["b"] };
    await cloud.ok("POST cloud/config/root", { ...endpoint, ...fallback });
    await cloud.ok("POST cloud/roles/s", { credential_type: "session_token" });
    expect(await cloud.call("GET cloud/creds/s")).toMatchObject({
      status: 400,
      errors: ["number of regions does not match number of endpoints"],
    });
  });
});
