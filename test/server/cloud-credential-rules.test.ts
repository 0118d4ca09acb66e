import { beforeEach, describe, expect, it } from "vitest";
import { type CloudServer, cloudError, documentText, failed, roleArn, startCloud } from "./cloud-server";
import { tokenWith } from "./frame-harness";

let cloud: CloudServer;
beforeEach(async () => {
  cloud = await startCloud();
});

const role = (name: string, fields: Record<string, unknown>) => cloud.ok(`POST cloud/roles/${name}`, fields);
const lastSession = () => cloud.server.cloud.sessions().at(-1);

describe("roles: mfa_serial_number and mfa_code", () => {
  let device: { serialNumber: string; code: string };
  beforeEach(async () => {
    const { body } = await cloud.admin("POST cloud/mfa-devices", { userName: "root" });
    device = { serialNumber: String(body["serialNumber"]), code: String(body["code"]) };
    await role("r", { credential_type: "session_token", mfa_serial_number: device.serialNumber });
  });
  const denied = (text: string) =>
    failed(`Error generating STS keys: ${cloudError("AccessDenied", `MultiFactorAuthentication failed${text}`, 403)}`);

  // @covers cloud: Role > mfa_serial_number
  it("the code of the device makes a session that has passed it, once", async () => {
    await cloud.ok(`GET cloud/creds/r?mfa_code=${device.code}`);
    expect(lastSession()?.isMfaPresent).toBe(true);
    const wrong = denied(" with invalid MFA one time pass code.");
    expect(await cloud.call(`GET cloud/creds/r?mfa_code=${device.code}`)).toMatchObject(wrong);
  });

  // @covers cloud: Generation parameters > mfa_code
  it("a code is good for its half minute, and a little longer", async () => {
    const wrong = denied(" with invalid MFA one time pass code.");
    await cloud.advance(90);
    expect(await cloud.call("POST cloud/sts/r", { mfa_code: device.code })).toMatchObject(wrong);
    const { body } = await cloud.admin("GET cloud/mfa-devices");
    const [{ code }] = body["mfaDevices"] as [{ code: string }];
    await cloud.advance(20);
    await cloud.ok("POST cloud/sts/r", { mfa_code: code });
  });

  // @covers cloud: Generation parameters > mfa_code
  it("mfa_code is required when the role has mfa_serial_number", async () => {
    const text = ", must provide both MFA serial number and one time pass code.";
    expect(await cloud.call("GET cloud/creds/r")).toMatchObject(denied(text));
  });

  // @covers cloud: Role > mfa_serial_number
  it("without a serial number a session is issued that has not passed the device", async () => {
    await role("plain", { credential_type: "session_token" });
    await cloud.ok("GET cloud/creds/plain");
    expect(lastSession()?.isMfaPresent).toBe(false);
  });

  // @covers cloud: Role > mfa_serial_number
  it("a device must be the user's", async () => {
    await role("r", { mfa_serial_number: "arn:aws:iam::123456789012:mfa/other" });
    const text =
      ", unable to validate MFA code.  Please verify your MFA serial number is valid and associated with this user.";
    expect(await cloud.call(`GET cloud/creds/r?mfa_code=${device.code}`)).toMatchObject(denied(text));
  });

  it("a code shorter than six digits is refused by the SDK", async () => {
    expect(await cloud.call("GET cloud/creds/r?mfa_code=123")).toMatchObject(
      failed(
        "Error generating STS keys: InvalidParameter: 1 validation error(s) found.\n- minimum field size of 6, GetSessionTokenInput.TokenCode.\n",
      ),
    );
  });
});

describe("rules of generation", () => {
  // @covers cloud: Rules of generation > 2: the role exists
  it("the role must exist before credentials are generated from it", async () => {
    for (const place of ["creds", "sts"]) {
      expect(await cloud.call(`GET cloud/${place}/none`)).toMatchObject(failed('Role "none" not found'));
    }
  });

  // @covers cloud: Rules of generation > 1: creds and sts
  it("creds and sts serve every type of a role in the new style", async () => {
    await role("user", { credential_type: "iam_user" });
    await role("session", { credential_type: "session_token" });
    const asked = ["GET cloud/creds/user", "GET cloud/sts/user", "GET cloud/creds/session", "GET cloud/sts/session"];
    for (const request of asked) await cloud.ok(request);
  });

  it("a legacy policy gives an iam_user through creds, a federation_token through sts", async () => {
    await role("old", { policy: documentText });
    expect((await cloud.ok("GET cloud/creds/old")).renewable).toBe(true);
    await cloud.ok("GET cloud/sts/old");
    expect(lastSession()).toMatchObject({ kind: "federation_token", policy: documentText });
  });

  it.each([
    ["a legacy role's arn", roleArn, "creds", "assumed_role"],
    ["a legacy policy's arn", "arn:aws:iam::aws:policy/P", "sts", "iam_user"],
  ])("%s is refused through %3$s", async (_name, arn, place, type) => {
    await role("old", { arn });
    const other = place === "creds" ? "sts" : "creds";
    await cloud.ok(`GET cloud/${other}/old`);
    const text = `attempted to retrieve ${type} credentials through the ${place} path; this is not allowed for legacy roles`;
    expect(await cloud.call(`GET cloud/${place}/old`)).toMatchObject(failed(text));
  });

  it("a legacy role may take either path once it is written in the new style", async () => {
    await role("old", { arn: "arn:aws:iam::aws:policy/P" });
    await role("old", { user_path: "/x/" });
    await cloud.ok("GET cloud/sts/old");
  });

  it("a federation_token needs a policy, a document or an ARN, when it is generated", async () => {
    await role("r", { credential_type: "federation_token" });
    const text = "must specify at least one of policy_arns or policy_document with federation_token credential_type";
    expect(await cloud.call("GET cloud/creds/r")).toMatchObject(failed(text));
  });

  // @covers cloud: Endpoints > GET {mount}/creds/{name}
  // @covers cloud: Authentication > callers of the endpoints
  it("needs read for GET, update for POST", async () => {
    await role("r", { credential_type: "session_token" });
    const reader = await tokenWith(cloud.ask, 'path "cloud/creds/r" { capabilities = ["read"] }');
    expect((await cloud.call("GET cloud/creds/r", undefined, { token: reader })).status).toBe(200);
    expect((await cloud.call("POST cloud/creds/r", {}, { token: reader })).status).toBe(403);
  });
});

describe("a user that could not be made whole", () => {
  it.each([
    [
      "a policy that is not there",
      { policy_arns: "arn:aws:iam::123456789012:policy/none" },
      "Error attaching user policy: NoSuchEntity",
    ],
    ["a group that is not there", { iam_groups: "none" }, "Error adding user to group: NoSuchEntity"],
    ["a document that is no policy", { policy_document: "[]" }, "Error putting user policy: MalformedPolicyDocument"],
    ["a tag without a name", { iam_tags: { "": "x" } }, "Error adding tags to user: InvalidParameter"],
  ])("for %s is left behind, and rolled back after five minutes", async (_name, fields, text) => {
    await role("r", { credential_type: "iam_user", ...fields });
    expect(await cloud.call("GET cloud/creds/r")).toMatchObject(failed(expect.stringMatching(`^${text}: `)));
    expect(cloud.made()).toHaveLength(1);
    await cloud.advance(200);
    expect(cloud.made()).toHaveLength(1);
    await cloud.advance(101);
    expect(cloud.made()).toEqual([]);
  });
});
