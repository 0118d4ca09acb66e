import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { awsKeys } from "../../../provider/auth/aws-keys";
import { serve } from "../../support/loopback-server";
import { fileOfTest } from "../../support/temporary-folder";

describe("the keys of a login by AWS, where the environment has none", () => {
  // The provider of AWS reads the variables of the process; there is no machine of AWS to ask.
  const stub = (variables: Readonly<Record<string, string>>) => {
    const none = { AWS_CONFIG_FILE: "/nowhere", AWS_SHARED_CREDENTIALS_FILE: "/nowhere" };
    for (const [name, value] of Object.entries({ ...none, AWS_EC2_METADATA_DISABLED: "true", ...variables }))
      vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
  };
  const fileOf = (content: string) => {
    return fileOfTest("file", content);
  };
  // https://github.com/hashicorp/terraform-provider-vault/issues/1672: profiles.
  it("takes those of a profile", async () => {
    const file = fileOf("[ci]\naws_access_key_id = AKIAPROFILE\naws_secret_access_key = of-profile\n");
    stub({ AWS_PROFILE: "ci", AWS_SHARED_CREDENTIALS_FILE: file });
    expect(await awsKeys({})).toEqual({ accessKey: "AKIAPROFILE", secretKey: "of-profile" });
  });

  // https://github.com/hashicorp/terraform-provider-vault/issues/866: containers.
  it("takes those of a container", async () => {
    const { origin } = await serve((_, answer) => {
      const keys = { AccessKeyId: "ASIACONTAINER", SecretAccessKey: "of-container", Token: "session" };
      answer.end(JSON.stringify({ ...keys, Expiration: "2999-01-01T00:00:00Z" }));
    });
    stub({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/keys` });
    expect(await awsKeys({})).toEqual({
      accessKey: "ASIACONTAINER",
      secretKey: "of-container",
      sessionToken: "session",
    });
  });

  // https://github.com/hashicorp/terraform-provider-vault/issues/1167, and 2967: web identity.
  it("takes those that a web identity gives", async () => {
    const asked: string[] = [];
    const { origin } = await serve(async (incoming, answer) => {
      for await (const chunk of incoming) asked.push(String(chunk));
      const keys =
        "<AccessKeyId>ASIAWEB</AccessKeyId><SecretAccessKey>of-web</SecretAccessKey><SessionToken>session</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration>";
      const result = `<AssumeRoleWithWebIdentityResult><Credentials>${keys}</Credentials></AssumeRoleWithWebIdentityResult>`;
      answer.setHeader("content-type", "text/xml");
      answer.end(
        `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">${result}</AssumeRoleWithWebIdentityResponse>`,
      );
    });
    stub({
      AWS_WEB_IDENTITY_TOKEN_FILE: fileOf("a.b.c"),
      AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/ci",
      AWS_ENDPOINT_URL_STS: origin,
      AWS_REGION: "eu-west-1",
    });
    expect(await awsKeys({})).toEqual({ accessKey: "ASIAWEB", secretKey: "of-web", sessionToken: "session" });
    expect(new URLSearchParams(asked.join("")).get("RoleArn")).toBe("arn:aws:iam::123456789012:role/ci");
  });

  // The service of a machine answers at this address; see
  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-metadata-security-credentials.html
  it("takes those of the machine, with a token of its session", async () => {
    const asked: string[] = [];
    const { origin } = await serve(({ method, url = "", headers }, answer) => {
      asked.push(`${method} ${url} ${headers["x-aws-ec2-metadata-token"] ?? "-"}`);
      if (method === "PUT") return void answer.end("of-the-session");
      if (url.endsWith("/security-credentials/")) return void answer.end("ci");
      const keys = { AccessKeyId: "ASIAMACHINE", SecretAccessKey: "of-machine", Token: "session" };
      answer.end(JSON.stringify({ Code: "Success", ...keys, Expiration: "2999-01-01T00:00:00Z" }));
    });
    stub({ AWS_EC2_METADATA_DISABLED: "", AWS_EC2_METADATA_SERVICE_ENDPOINT: origin });
    const keys = { accessKey: "ASIAMACHINE", secretKey: "of-machine", sessionToken: "session" };
    expect(await awsKeys({})).toEqual(keys);
    expect(asked.at(-1)).toBe("GET /latest/meta-data/iam/security-credentials/ci of-the-session");
  });

  // What `aws sso login` has left in a file that is named by a hash of the session's name.
  it("takes those that a login by SSO gives", async () => {
    const { origin } = await serve((_, answer) => {
      const keys = { accessKeyId: "ASIASSO", secretAccessKey: "of-sso", sessionToken: "session" };
      answer.end(JSON.stringify({ roleCredentials: { ...keys, expiration: Date.parse("2999-01-01") } }));
    });
    const profile = "sso_session = acme\nsso_account_id = 123456789012\nsso_role_name = ci\nregion = eu-west-1\n";
    const session = `sso_start_url = ${origin}/start\nsso_region = eu-west-1\n`;
    const file = fileOf(`[profile ci]\n${profile}[sso-session acme]\n${session}`);
    const folder = join(dirname(file), ".aws", "sso", "cache");
    mkdirSync(folder, { recursive: true });
    const left = { accessToken: "of-the-login", expiresAt: "2999-01-01T00:00:00Z" };
    writeFileSync(join(folder, `${createHash("sha1").update("acme").digest("hex")}.json`), JSON.stringify(left));
    stub({ AWS_PROFILE: "ci", AWS_CONFIG_FILE: file, HOME: dirname(file), AWS_ENDPOINT_URL_SSO: origin });
    expect(await awsKeys({})).toEqual({ accessKey: "ASIASSO", secretKey: "of-sso", sessionToken: "session" });
  });

  it.each([
    [{}, ""],
    [{ AWS_PROFILE: "ci" }, " AWS_PROFILE is set."],
  ])("ends with what was looked for in vain: %j", async (variables, found) => {
    stub(variables);
    const message =
      /^the method aws found no keys: .*AWS's own provider found none in profiles, web identity, .*: Could not /;
    const error = await awsKeys(variables).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: "ConfigError", message: expect.stringMatching(message) });
    expect((error as Error).message.endsWith(`.${found}`)).toBe(true);
  });
});
