import { UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import type { ShownCertificate } from "../../../provider/auth/client-certificate";
import { proofOf } from "../../../provider/auth/login";
import { type ConnectionLogin, loginSchema } from "../../../provider/core/login-entry";
import { redactor } from "../../../provider/http/redact";
import type { HttpRequest } from "../../../provider/http/transport";
import { createIdentity } from "../../support/certificates";
import { fileOfTest } from "../../support/temporary-folder";

const jwt = new UnsecuredJWT({ iss: "https://ci.example.com", aud: "vault", sub: "job" })
  .setExpirationTime("5m")
  .encode();

const shown: ShownCertificate = {
  address: new URL("https://vault.example.com:8200"),
  pem: undefined,
  setting: "VAULT_CLIENT_CERT",
};

/** What a login shows to its auth method, and what was asked on the way. */
async function proof(
  login: ConnectionLogin,
  env: Readonly<Record<string, string>> = {},
  { answer = "", certificate = shown }: { answer?: string; certificate?: ShownCertificate } = {},
) {
  const asked: HttpRequest[] = [];
  const shown = await proofOf(login, {
    env,
    ask: async (request) => {
      asked.push(request);
      return { status: answer === "" ? 403 : 200, headers: {}, text: answer };
    },
    unwrap: async (token) => `unwrapped ${token}`,
    certificate: () => certificate,
  });
  return { ...shown, asked };
}

function fileWith(text: string): string {
  return fileOfTest("file", text);
}

describe("the JWT of a login", () => {
  const github = {
    ACTIONS_ID_TOKEN_REQUEST_URL: "https://token.actions.example.com/x?api-version=2",
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "request-token",
  };

  it("is asked of GitHub Actions, for the audience of the configuration", async () => {
    const { members, asked } = await proof(
      { method: "jwt", role: "ci", audience: "https://vault.example.com" },
      { ...github, VAULT_ID_TOKEN: "not this one" },
      { answer: JSON.stringify({ value: jwt }) },
    );
    expect(members).toEqual({ role: "ci", jwt });
    expect(asked.map(({ method, url, headers }) => [method, url.href, headers["authorization"]])).toEqual([
      [
        "GET",
        "https://token.actions.example.com/x?api-version=2&audience=https%3A%2F%2Fvault.example.com",
        "Bearer request-token",
      ],
    ]);
  });

  it.each(["VAULT_ID_TOKEN", "TFC_WORKLOAD_IDENTITY_TOKEN", "PULUMI_OIDC_TOKEN"])("is found in %s", async (name) => {
    expect((await proof({ method: "jwt" }, { [name]: ` ${jwt}\n` })).members).toEqual({ jwt });
  });

  it("is in the variable or the file that the configuration names, and nowhere else", async () => {
    expect((await proof({ method: "jwt", jwtEnv: "MINE" }, { MINE: jwt, ...github })).members).toEqual({ jwt });
    expect((await proof({ method: "kubernetes", jwtFile: fileWith(`${jwt}\n`) }, github)).members).toEqual({ jwt });
    await expect(proof({ method: "jwt", jwtEnv: "MINE" }, { VAULT_ID_TOKEN: jwt })).rejects.toThrow(
      "the environment variable MINE, which jwtEnv names, is not set or blank",
    );
    await expect(proof({ method: "jwt", jwtFile: "/nowhere/jwt" })).rejects.toThrow(
      "the file /nowhere/jwt cannot be read",
    );
  });

  it("is missing: an error says where it was looked for, and what a job of GitHub Actions needs", async () => {
    await expect(proof({ method: "jwt" }, { GITHUB_ACTIONS: "true" })).rejects.toThrow(
      /^no JWT was found in ACTIONS_ID_TOKEN_REQUEST_URL, VAULT_ID_TOKEN, .*\. A job of GitHub Actions needs "permissions: id-token: write"\.$/,
    );
    await expect(proof({ method: "jwt" }, github)).rejects.toThrow("GitHub Actions answered 403 and no JWT");
    await expect(proof({ method: "jwt", jwtEnv: "MINE" }, { MINE: "hvs.secret" })).rejects.toThrow(
      /^what MINE holds is no JWT$/,
    );
  });
});

describe("AppRole", () => {
  it("shows the secret ID of a variable or a file, unwrapped where it is wrapped", async () => {
    const login = { method: "approle", roleId: "role" } as const;
    const file = fileWith("s3cret\n");
    expect((await proof({ ...login, secretIdEnv: "ID" }, { ID: "s3cret" })).members).toEqual({
      role_id: "role",
      secret_id: "s3cret",
    });
    expect((await proof({ ...login, secretIdFile: file, secretIdWrapped: true })).members).toEqual({
      role_id: "role",
      secret_id: "unwrapped s3cret",
    });
    expect((await proof(login)).members).toEqual({ role_id: "role" });
  });
});

describe("AWS IAM", () => {
  const env = { AWS_ACCESS_KEY_ID: "AKIAEXAMPLE", AWS_SECRET_ACCESS_KEY: "s3cret", AWS_SESSION_TOKEN: "session" };
  const text = (value: unknown) => Buffer.from(String(value), "base64").toString();

  it("shows a signed question to STS, with all that the server sends on, and never the secret key", async () => {
    const { members, secrets, advice } = await proof(
      { method: "aws", role: "ci", region: "eu-west-1", serverId: "vault.example.com" },
      env,
    );
    expect(members["iam_http_request_method"]).toBe("POST");
    expect(text(members["iam_request_url"])).toBe("https://sts.eu-west-1.amazonaws.com/");
    expect(text(members["iam_request_body"])).toBe("Action=GetCallerIdentity&Version=2011-06-15");
    const headers = JSON.parse(text(members["iam_request_headers"]));
    expect(headers).toMatchObject({
      host: "sts.eu-west-1.amazonaws.com",
      "x-vault-aws-iam-server-id": "vault.example.com",
      "x-amz-security-token": "session",
    });
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-west-1\/sts\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-vault-aws-iam-server-id, Signature=[0-9a-f]{64}$/,
    );
    expect(JSON.stringify(members) + text(members["iam_request_headers"])).not.toContain("s3cret");
    const signature = headers.authorization.split("Signature=")[1];
    expect(secrets).toEqual(["s3cret", "session", members["iam_request_headers"], signature]);
    expect(advice?.("")).toMatch(
      /^The login is signed for sts\.eu-west-1\.amazonaws\.com and the serverId "vault\.example\.com": /,
    );
  });

  // https://github.com/hashicorp/terraform-provider-vault/issues/1754 and 2967: regions, partitions, and who names them.
  const signedFor = async (more: Partial<ConnectionLogin>, ofEnvironment: Readonly<Record<string, string>> = {}) => {
    const { members, advice, secrets } = await proof({ method: "aws", ...more }, { ...env, ...ofEnvironment });
    const { host, authorization } = JSON.parse(text(members["iam_request_headers"]));
    return { host, scope: authorization.split("/")[2], said: redactor(secrets)(advice?.("") ?? "") };
  };

  it.each([
    [{}, {}, "sts.amazonaws.com", "us-east-1"],
    [{ region: "eu-west-1" }, { AWS_REGION: "eu-west-2" }, "sts.eu-west-1.amazonaws.com", "eu-west-1"],
    [{ region: "cn-north-1" }, {}, "sts.cn-north-1.amazonaws.com.cn", "cn-north-1"],
    [{ region: "us-gov-west-1" }, {}, "sts.us-gov-west-1.amazonaws.com", "us-gov-west-1"],
    // A server that nobody told otherwise asks the global endpoint, which takes signatures for us-east-1 only.
    [{}, { AWS_REGION: "eu-west-1" }, "sts.amazonaws.com", "us-east-1"],
    [
      { region: "auto" },
      { AWS_REGION: "eu-west-1", AWS_DEFAULT_REGION: "x" },
      "sts.eu-west-1.amazonaws.com",
      "eu-west-1",
    ],
    [{ region: "auto" }, { AWS_DEFAULT_REGION: "ap-south-1" }, "sts.ap-south-1.amazonaws.com", "ap-south-1"],
    // The global endpoint does not know the keys of these partitions.
    [{}, { AWS_REGION: "cn-northwest-1" }, "sts.cn-northwest-1.amazonaws.com.cn", "cn-northwest-1"],
    [{}, { AWS_DEFAULT_REGION: "us-gov-east-1" }, "sts.us-gov-east-1.amazonaws.com", "us-gov-east-1"],
  ])("%j with %j is signed for %s", async (login, ofEnvironment, host, scope) => {
    const signed = await signedFor(login, ofEnvironment);
    expect(signed).toMatchObject({ host, scope });
    expect(signed.said).toContain(`is signed for ${host} and no serverId`);
  });

  it("says that the region of the environment is not read, where it would have made another signature", async () => {
    const said = "AWS_REGION says eu-west-1, which is read where the login has region: auto.";
    expect((await signedFor({}, { AWS_REGION: "eu-west-1" })).said).toContain(said);
    for (const login of [{ region: "auto" }, { region: "us-east-1" }])
      expect((await signedFor(login, { AWS_REGION: "eu-west-1" })).said).not.toContain("AWS_REGION");
  });

  it.each([
    [{ region: "eu west" }, {}, 'region "eu west" of the login is no region of AWS, such as eu-west-1'],
    [{ region: "auto" }, { AWS_REGION: "a.b/" }, 'region "a.b/" of AWS_REGION is no region of AWS, such as eu-west-1'],
    [{ region: "auto" }, {}, "region: auto takes the region of AWS_REGION or AWS_DEFAULT_REGION, and neither is set"],
  ])("%j with %j is refused", async (login, ofEnvironment, problem) => {
    await expect(signedFor(login, ofEnvironment)).rejects.toThrow(problem);
  });
});

describe("a client certificate", () => {
  const login = { method: "cert", role: "ci" } as const;

  it("is shown in TLS: the login names its role only, and says what the certificate says where it is refused", async () => {
    const { certificate: pem } = createIdentity("ci", { issuer: createIdentity("Company CA", { isAuthority: true }) });
    const { members, advice } = await proof(login, {}, { certificate: { ...shown, pem } });
    expect(members).toEqual({ name: "ci" });
    expect(advice?.("")).toMatch(
      /^The client certificate of VAULT_CLIENT_CERT says subject "CN=ci", issuer "CN=Company CA", and is valid until \w+ .* GMT: compare that with /,
    );
  });

  it("is needed, and so is TLS", async () => {
    await expect(proof(login)).rejects.toThrow(
      "the method cert needs a client certificate and its key: set VAULT_CLIENT_CERT",
    );
    const certificate = { ...shown, address: new URL("http://127.0.0.1:8200/") };
    await expect(proof(login, {}, { certificate })).rejects.toThrow(
      "the method cert needs an address with https, and http://127.0.0.1:8200 is none",
    );
  });
});

describe("the configuration of a login", () => {
  it.each([
    [{ method: "jwt", secretIdEnv: "ID" }, "secretIdEnv is no field of the method jwt"],
    [{ method: "jwt", jwtEnv: "A", jwtFile: "b" }, "jwtFile give either jwtEnv or jwtFile"],
    [{ method: "approle" }, "roleId is needed by the method approle"],
    [{ method: "approle", roleId: "r", role: "ci" }, "role is not read by the method approle, which has roleId"],
    [{ method: "approle", roleId: "r", secretIdEnv: "A", secretIdFile: "b" }, "secretIdFile give either"],
    [{ method: "jwt", jwtEnv: "$TOKEN" }, "jwtEnv must be the name of an environment variable"],
  ])("%j is refused", (login, problem) => {
    const issues = loginSchema
      .safeParse(login)
      .error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
    expect(issues?.join("; ")).toContain(problem);
  });

  it.each(["", "/", "..", "a/../../sys/seal", "./a", "a//b", "\ud800"])("the mount %j is refused", (mount) => {
    const [issue] = loginSchema.safeParse({ method: "jwt", mount }).error?.issues ?? [];
    expect(issue?.message).toBe("must be a path without empty parts, `.` or `..`");
  });

  it.each(["ci", "/teams/ci/", "a..b", "a%2f..", "a?b#c"])("the mount %j is taken", (mount) => {
    expect(loginSchema.safeParse({ method: "jwt", mount }).success).toBe(true);
  });
});
