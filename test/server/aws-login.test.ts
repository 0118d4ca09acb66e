import { describe, expect, it } from "vitest";
import { proofOf } from "../../provider/auth/login";
import type { AccessKey } from "../../server/cloud/identity-records";
import { startServers } from "../../server/serve";
import { describeAwsLogins } from "../support/aws-login-suite";
import { askSecrets, startForTests } from "./frame-harness";

describeAwsLogins("the embedded server", async () => {
  const { secrets, cloud, close } = await startServers();
  return { ...secrets, cloud, tokenService: async () => "", close };
});

it("OpenBao has no such method", async () => {
  const ask = askSecrets(await startForTests({ profile: "openbao" }));
  expect((await ask("POST sys/auth/aws", { type: "aws" })).errors).toEqual(["plugin not found in the catalog: aws"]);
});

// Its tests go on with one user of the cloud.
describe("a role that knows principals by their IDs", { shuffle: false }, async () => {
  const server = await startForTests();
  const ask = askSecrets(server);
  await ask("POST sys/auth/aws", { type: "aws" });
  await ask("POST auth/aws/config/client", { access_key: "AKIAVAULT", secret_key: "s" });

  const newUser = () => server.cloud.addUser("deployer", { path: "/ci/", accessKeys: 1 });
  const arn = "arn:aws:iam::123456789012:user/deployer";

  async function login([key]: readonly AccessKey[], more: { region?: string; role?: string } = {}) {
    const { accessKeyId: AWS_ACCESS_KEY_ID, secretKey: AWS_SECRET_ACCESS_KEY } = key ?? {};
    const { members } = await proofOf(
      { method: "aws", role: "ci", ...more },
      {
        env: { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY },
        ask: () => Promise.reject(new Error("nothing is asked")),
        unwrap: async (token) => token,
        certificate: () => ({ address: new URL(server.secrets.address), pem: undefined, setting: "" }),
      },
    );
    return ask("POST auth/aws/login", members, { token: null });
  }

  it("tells a user from the next one of the same name, also at a renewal", async () => {
    const first = newUser();
    await ask("POST auth/aws/role/ci", { bound_iam_principal_arn: arn, token_ttl: 60 });
    expect((await ask("GET auth/aws/role/ci")).data).toMatchObject({ bound_iam_principal_id: [first.id] });
    const { auth, status } = await login(first.accessKeys);
    expect(status).toBe(200);
    const renew = () => ask("POST auth/token/renew-self", {}, { token: String(auth?.["client_token"]) });
    expect((await renew()).status).toBe(200);
    server.cloud.removeUser("deployer");
    const second = newUser();
    expect(await login(second.accessKeys)).toMatchObject({
      status: 400,
      errors: [`IAM Principal "${second.arn}" does not belong to the role "ci"`],
    });
    await ask("POST auth/aws/role/ci", { bound_iam_principal_arn: arn });
    expect((await login(second.accessKeys)).status).toBe(200);
    expect((await renew()).errors).toEqual([
      `1 error occurred:\n\t* failed to renew entry: role "ci" no longer bound to ARN "${arn}"\n\n`,
    ]);
    await ask("DELETE auth/aws/role/ci");
    expect((await renew()).errors).toEqual(["1 error occurred:\n\t* failed to renew entry: role entry not found\n\n"]);
    server.cloud.removeUser("deployer");
  });

  it("asks the cloud for paths where it is bound by a wildcard, and names the user in the token", async () => {
    const user = newUser();
    await ask("POST auth/aws/role/deployer", { bound_iam_principal_arn: "arn:aws:iam::123456789012:user/ci/*" });
    const { auth } = await login(user.accessKeys, { role: "deployer" });
    expect(auth).toMatchObject({ metadata: { account_id: "123456789012", auth_type: "iam" } });
    const { data } = await ask("GET auth/token/lookup-self", undefined, { token: String(auth?.["client_token"]) });
    expect(data).toMatchObject({ display_name: "aws-deployer" });
    const entity = await ask(`GET identity/entity/id/${auth?.["entity_id"]}`);
    expect(entity.data?.["aliases"]).toMatchObject([{ metadata: { account_id: "123456789012", auth_type: "iam" } }]);
    await ask("POST auth/aws/role/deployer", { bound_iam_principal_arn: "arn:aws:iam::123456789012:user/cd/*" });
    expect((await login(user.accessKeys, { role: "deployer" })).status).toBe(400);
    server.cloud.removeUser("deployer");
  });

  it.each<[string, object, string | undefined, number]>([
    ["of the region that the server's endpoint has not", {}, "eu-west-1", 400],
    [
      "of the region of the server's endpoint",
      { sts_endpoint: "https://sts.eu-west-1.amazonaws.com" },
      "eu-west-1",
      200,
    ],
    ["of the region that the client may choose", { use_sts_region_from_client: true }, "eu-west-1", 200],
    ["of a region that there is not", { use_sts_region_from_client: true }, "mars", 400],
  ])("takes or refuses a signature %s", async (_, config, region, status) => {
    const user = newUser();
    await ask("POST auth/aws/role/ci", { bound_iam_principal_arn: arn });
    await ask("POST auth/aws/config/client", { sts_endpoint: "", use_sts_region_from_client: false, ...config });
    const answer = await login(user.accessKeys, region === undefined ? {} : { region });
    expect([answer.status, answer.errors?.join() ?? ""]).toEqual([
      status,
      status === 200 ? "" : expect.stringMatching(/scoped to a valid region|regional STS endpoint for region: mars/),
    ]);
    server.cloud.removeUser("deployer");
  });

  it.each<[object, string]>([
    [{ pkcs7: "x" }, "logins of EC2 instances are not supported by the embedded server"],
    [
      { iam_http_request_method: "GET", iam_request_url: "x", iam_request_headers: {} },
      "logins by GET are not supported",
    ],
  ])("what is not imitated is refused: %j", async (body, error) => {
    expect(await ask("POST auth/aws/login", body, { token: null })).toMatchObject({
      status: 501,
      errors: [expect.stringContaining(error)],
    });
  });
});
