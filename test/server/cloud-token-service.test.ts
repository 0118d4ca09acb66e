import { AwsV4Signer } from "aws4fetch";
import { beforeEach, describe, expect, it } from "vitest";
import type { AccessKey } from "../../server/cloud/identity-records";
import { type CloudServer, roleArn, startCloud } from "./cloud-server";

let cloud: CloudServer;
let key: AccessKey;
beforeEach(async () => {
  cloud = await startCloud();
  [key] = cloud.server.cloud.addUser("ci", { accessKeys: 1 }).accessKeys as [AccessKey];
});

interface Asking {
  readonly service?: string;
  readonly endpoint?: "sts" | "iam";
  readonly action?: string;
  /** What arrives instead of what was signed. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks whose key this is, signed as the cloud's SDKs sign. */
async function ask({ accessKeyId, secretKey, sessionToken }: AccessKey, asking: Asking = {}) {
  const signed = `Action=${asking.action ?? "GetCallerIdentity"}&Version=2011-06-15`;
  const signer = new AwsV4Signer({
    method: "POST",
    url: `${cloud.server.admin.address}/cloud/${asking.endpoint ?? "sts"}`,
    headers: { "content-type": "application/x-www-form-urlencoded", ...asking.headers },
    body: signed,
    service: asking.service ?? "sts",
    region: "eu-central-1",
    accessKeyId,
    secretAccessKey: secretKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
  });
  const { url, headers } = await signer.sign();
  const answer = await fetch(url, { method: "POST", headers, body: asking.body ?? signed });
  const text = await answer.text();
  const member = (name: string) => new RegExp(`<${name}>(.*?)</${name}>`).exec(text)?.[1];
  return {
    status: answer.status,
    arn: member("Arn"),
    account: member("Account"),
    code: member("Code"),
    userId: member("UserId"),
  };
}

const unknown = { status: 403, code: "InvalidClientTokenId" };
const wrong = { status: 403, code: "SignatureDoesNotMatch" };

describe("the cloud's token service", () => {
  it("says whose key a request is signed with", async () => {
    const arn = "arn:aws:iam::123456789012:user/ci";
    expect(await ask(key)).toMatchObject({ status: 200, arn, account: "123456789012" });
    expect(await ask(key, { headers: { "x-amz-meta-note": "  two   words " } })).toMatchObject({ status: 200, arn });
  });

  it("knows temporary credentials by their token, until they expire", async () => {
    const session = cloud.server.cloud.assumeRole(key, {
      roleArn,
      sessionName: "job",
      durationSeconds: 900,
      region: "us-east-1",
    });
    const arn = "arn:aws:sts::123456789012:assumed-role/deployer/job";
    expect(await ask(session)).toMatchObject({ status: 200, arn });
    expect(await ask({ ...session, sessionToken: "another" })).toMatchObject(unknown);
    await cloud.advance(901);
    expect(await ask(session)).toMatchObject(unknown);
  });

  it("knows no key that nobody has, nor one that is too new", async () => {
    expect(await ask({ ...key, accessKeyId: "AKIANOBODY0000000000" })).toMatchObject(unknown);
    await cloud.admin("PUT cloud/key-delay", { seconds: 10 });
    const fresh = cloud.server.cloud.createAccessKey(key, "ci");
    expect(await ask(fresh)).toMatchObject(unknown);
    await cloud.advance(10);
    expect(await ask(fresh)).toMatchObject({ status: 200 });
  });

  it("refuses what is signed with another key, for another service or as another body", async () => {
    expect(await ask({ ...key, secretKey: `${key.secretKey}x` })).toMatchObject(wrong);
    expect(await ask(key, { service: "iam" })).toMatchObject(wrong);
    expect(await ask(key, { body: "Action=GetCallerIdentity&Version=2011-06-15&More=1" })).toMatchObject(wrong);
    const unsigned = await fetch(`${cloud.server.admin.address}/cloud/sts`, {
      method: "POST",
      body: "",
    });
    expect([unsigned.status, await unsigned.text()]).toEqual([403, expect.stringContaining("SignatureDoesNotMatch")]);
  });

  it("answers nothing else, and that it is asked too often", async () => {
    expect(await ask(key, { action: "AssumeRole" })).toMatchObject({ status: 400, code: "InvalidAction" });
    await cloud.admin("PUT cloud/throttle", { calls: 1 });
    expect(await ask(key)).toMatchObject({ status: 400, code: "Throttling" });
    expect(await ask(key)).toMatchObject({ status: 200 });
  });
});

describe("the cloud's directory", () => {
  const iam = { endpoint: "iam", service: "iam" } as const;
  const getUser = (name?: string) => `GetUser${name === undefined ? "" : `&UserName=${name}`}`;

  it("shows the caller, or the user that it names", async () => {
    const other = cloud.server.cloud.addUser("other");
    const own = await ask(key, { ...iam, action: getUser() });
    expect(own).toMatchObject({ status: 200, arn: "arn:aws:iam::123456789012:user/ci" });
    const named = await ask(key, { ...iam, action: getUser("other") });
    expect(named).toMatchObject({ status: 200, arn: other.arn, userId: other.id });
  });

  it("refuses what it does not know, and what is not signed for it", async () => {
    const session = cloud.server.cloud.assumeRole(key, {
      roleArn,
      sessionName: "job",
      durationSeconds: 900,
      region: "us-east-1",
    });
    const codes = [
      await ask(key, { ...iam, action: getUser("nobody") }),
      await ask(session, { ...iam, action: getUser() }),
      await ask(key, { ...iam, action: "ListUsers" }),
      await ask(key, { endpoint: "iam", action: getUser() }),
      await ask({ ...key, accessKeyId: "AKIANOBODY" }, { ...iam, action: getUser() }),
    ];
    expect(codes.map(({ status, code }) => [status, code])).toEqual([
      [404, "NoSuchEntity"],
      [400, "ValidationError"],
      [400, "InvalidAction"],
      [403, "SignatureDoesNotMatch"],
      [403, "InvalidClientTokenId"],
    ]);
  });
});
