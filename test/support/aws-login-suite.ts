import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Definition } from "../../provider/core/definition";
import { definitions } from "../../provider/resources/index";
import type { CloudIdentity } from "../../server/cloud/cloud-identity";
import type { AccessKey } from "../../server/cloud/identity-records";
import { describeAwsRoles } from "./aws-role-suite";
import { type RawApi, rawApi } from "./contract-raw";
import { openEngine, roleInputs, rolesPolicy, setVariable } from "./jwt-logins";

/** A Vault, and the cloud that it asks whose a login is. */
export interface VaultOnCloud {
  readonly address: string;
  readonly token: string;
  readonly cloud: CloudIdentity;
  /** Where the cloud's token service listens for the rest of a test; empty for the server's own way to it. */
  tokenService(): Promise<string>;
  close(): Promise<void>;
}

const jwtRole: Definition = definitions.jwtRole;
const arnOf = (name: string) => `arn:aws:iam::123456789012:${name}`;
/** Without credentials of its own a server cannot ask for the ID behind an ARN. */
const unresolved = { resolve_aws_unique_ids: false };

/** The logins of IAM principals that every Vault has: through the provider's engine, and in the server's own words. */
export function describeAwsLogins(product: string, open: () => Promise<VaultOnCloud>): void {
  describe(`logins by AWS IAM on ${product}`, () => {
    let vault: VaultOnCloud;
    let raw: RawApi;
    let user: AccessKey;

    beforeAll(async () => {
      vault = await open();
      raw = rawApi("secrets", vault);
      // The embedded server has it from the start.
      await raw.ask("POST sys/auth/jwt", { type: "jwt" });
      await raw.call("POST sys/auth/aws", { type: "aws" });
      await raw.call("POST sys/policies/acl/ci", { policy: rolesPolicy });
      user = keyOf(vault.cloud.addUser("deployer", { path: "/ci/", accessKeys: 1 }).accessKeys);
    });
    afterAll(() => vault.close());

    /** The method's configuration, and a role for the user `deployer`. */
    async function configure({ config = {}, role = {} }: { config?: object; role?: object } = {}): Promise<void> {
      await raw.ask("DELETE auth/aws/config/client");
      await raw.call("POST auth/aws/config/client", { sts_endpoint: await vault.tokenService(), ...config });
      await raw.ask("DELETE auth/aws/role/ci");
      await raw.call("POST auth/aws/role/ci", {
        bound_iam_principal_arn: arnOf("user/deployer"),
        token_policies: ["ci"],
        ...unresolved,
        ...role,
      });
    }

    const accessors = async () => ((await raw.call("LIST auth/token/accessors")) as Listed).data.keys;

    function connection({ accessKeyId, secretKey, sessionToken = "" }: AccessKey, more: object = {}) {
      setVariable("AWS_ACCESS_KEY_ID", accessKeyId);
      setVariable("AWS_SECRET_ACCESS_KEY", secretKey);
      setVariable("AWS_SESSION_TOKEN", sessionToken);
      const login = { method: "aws", role: "ci", ...more };
      return openEngine({ secrets: JSON.stringify({ address: vault.address, login }) });
    }

    describe("a connection", () => {
      it("logs in with a user's keys, and leaves neither a token nor a word of them behind", async () => {
        await configure({ config: { iam_server_id_header_value: "vault.example.com" } });
        const before = await accessors();
        const { engine, lines } = connection(user, { serverId: "vault.example.com" });
        const { id, state } = await engine.create(jwtRole, roleInputs);
        expect(await accessors()).toHaveLength(before.length + 1);
        await engine.delete(jwtRole, id, state);
        await engine.end();
        expect(await accessors()).toEqual(before);
        expect(JSON.stringify([state, lines])).not.toContain(user.secretKey);
      });

      it("logs in with temporary keys of a role", async () => {
        await configure({ role: { bound_iam_principal_arn: arnOf("role/builder") } });
        const roleArn = arnOf("role/team/builder");
        const request = { roleArn, sessionName: "job-7", durationSeconds: 900, region: "us-east-1" };
        const { engine } = connection(vault.cloud.assumeRole(user, request));
        await engine.create(jwtRole, roleInputs);
        await engine.end();
      });

      const advice = (id: string) =>
        `The login is signed for sts.amazonaws.com and ${id}: compare that with sts_endpoint and iam_server_id_header_value of the auth method, and whose keys AWS_ACCESS_KEY_ID names with the role.`;
      const noId = advice("no serverId");

      it.each<[string, { config?: object; role?: object; login?: object; key?: object }, RegExp, string]>([
        [
          "another secret key",
          { key: { secretKey: "other" } },
          /error code 403 from STS: .*SignatureDoesNotMatch/,
          noId,
        ],
        ["an unknown key", { key: { accessKeyId: "AKIANOBODY" } }, /from STS: .*InvalidClientTokenId/, noId],
        [
          "no server ID",
          { config: { iam_server_id_header_value: "vault.example.com" } },
          /error validating X-Vault-AWS-IAM-Server-ID header: missing header "X-Vault-AWS-IAM-Server-ID"/,
          noId,
        ],
        [
          "another server ID",
          { config: { iam_server_id_header_value: "vault.example.com" }, login: { serverId: "other" } },
          /error validating X-Vault-AWS-IAM-Server-ID header: expected "vault.example.com" but got "other"/,
          advice('the serverId "other"'),
        ],
        ["a role that is not there", { login: { role: "none" } }, /entry for role none not found/, noId],
        [
          "a role for somebody else",
          { role: { bound_iam_principal_arn: arnOf("user/ci/deployer") } },
          /IAM Principal "arn:aws:iam::123456789012:user\/ci\/deployer" does not belong to the role "ci"/,
          noId,
        ],
      ])("is told what is wrong, and what to compare: %s", async (_, { key, login, ...settings }, says, whatToDo) => {
        await configure(settings);
        const { engine } = connection({ ...user, ...key }, login);
        const message = await engine.create(jwtRole, roleInputs).then(String, (error: Error) => error.message);
        expect(message).toMatch(says);
        expect(message).toMatch(/^creating jwt.Role "app": the login of connection "secrets" by aws: 400 /);
        expect(message).toContain(whatToDo);
        expect(message).not.toContain(user.secretKey);
      });
    });

    describeAwsRoles(() => raw);

    describe("a login", () => {
      const base64 = (text: string) => Buffer.from(text).toString("base64");
      const whole = {
        iam_http_request_method: "POST",
        iam_request_url: base64("https://sts.amazonaws.com/"),
        iam_request_body: base64("Action=GetCallerIdentity&Version=2011-06-15"),
        iam_request_headers: base64('{"Host":"sts.amazonaws.com"}'),
      };
      const unread = (why: string) =>
        `Field validation failed: error converting input for field "iam_request_headers": ${why}`;

      it.each<[object, string]>([
        [{ iam_http_request_method: undefined }, "didn't supply required authentication values"],
        [{ iam_http_request_method: "" }, "missing iam_http_request_method"],
        [
          { iam_http_request_method: "PUT" },
          "invalid iam_http_request_method; currently only 'GET' and 'POST' are supported",
        ],
        [{ iam_request_url: "" }, "missing iam_request_url"],
        [{ iam_request_url: "%%" }, "failed to base64 decode iam_request_url"],
        [{ iam_request_url: base64("http://%zz") }, "error parsing iam_request_url"],
        [{ iam_request_url: base64("https://sts.amazonaws.com/?a=b") }, "invalid request"],
        [{ iam_request_body: "" }, "missing iam_request_body which is required for POST requests"],
        [{ iam_request_body: base64("Action=AssumeRole") }, "iam request body is invalid"],
        [{ iam_request_body: base64("Action=GetCallerIdentity&X=1") }, "iam request body is invalid"],
        [{ iam_request_body: base64("a=%zz") }, 'invalid URL escape "%zz"'],
        [{ iam_request_headers: {} }, "missing iam_request_headers"],
        [{ iam_request_headers: { "x-amz-evil": "1" } }, "invalid request header: X-Amz-Evil"],
        [{ iam_request_headers: ["nothing"] }, unread('invalid key pair "nothing"')],
        [{ iam_request_headers: "x" }, unread("invalid character 'x' looking for beginning of value")],
        [{ iam_request_headers: "" }, unread("'data' being decoded is nil")],
      ])("with %j is refused", async (fields, error) => {
        await configure();
        const { status, body } = await raw.ask("POST auth/aws/login", { role: "ci", ...whole, ...fields });
        const errors = (body as { errors: string[] }).errors.map(withoutValue);
        expect([status, errors]).toEqual([400, [error]]);
      });

      it("demands that the server ID is signed", async () => {
        await configure({ config: { iam_server_id_header_value: "vault" } });
        const headers = { "x-vault-aws-iam-server-id": "vault" };
        const asked = async (more: object) =>
          (await raw.ask("POST auth/aws/login", { role: "ci", ...whole, iam_request_headers: { ...headers, ...more } }))
            .body;
        const problem = "error validating X-Vault-AWS-IAM-Server-ID header:";
        expect(await asked({})).toEqual({ errors: [`${problem} missing Authorization header`] });
        const authorization = "AWS4-HMAC-SHA256 Credential=x, SignedHeaders=host;x-amz-date, Signature=y";
        expect(await asked({ authorization })).toEqual({ errors: [`${problem} vault header wasn't signed`] });
      });
    });
  });
}

/** Vault 1.19 repeats the value that it cannot read. */
function withoutValue(error: string): string {
  return error.replace(/^(Field validation failed: error converting input ).*(for field )/, "$1$2");
}

interface Listed {
  readonly data: { readonly keys: readonly string[] };
}

function keyOf([key]: readonly AccessKey[]): AccessKey {
  if (key === undefined) throw new Error("the user has no access key");
  return key;
}
