import { describe, expect, it } from "vitest";
import { errorOf, serving } from "./frame-harness";

const { ask } = serving();

const noUserClaim = "a user claim must be defined on the role";
const cannotParse = (reason: string) => `error parsing JSON: failed to parse JSON input: ${reason}`;
const nested = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
const listOf = (count: number) => `{"a":[${Array(count).fill(1).join()}]}`;
const objectOf = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`;

// Every line was asked of Vault 1.21.1 built from its modules; the texts are its own.
describe("a body", () => {
  it.each([
    ["", 400, noUserClaim],
    ["  ", 400, noUserClaim],
    ["null", 400, noUserClaim],
    ['{"user_claim":""} ', 400, noUserClaim],
    ['{"a":1,"a":2}', 500, "duplicate key 'a' in object"],
    ['{"a":{"b":1,"b":2}}', 500, "duplicate key 'b' in object"],
    ['{"a":1', 500, "malformed JSON, unclosed containers"],
    ['{"a":"unclosed', 500, "malformed JSON, unclosed string"],
    ['{"a":1]', 500, "malformed JSON: mismatched closing delimiter ']'"],
    ["[1}", 500, "malformed JSON: mismatched closing delimiter '}'"],
    ["{a:1}", 500, "invalid character 'a' looking for beginning of value"],
    ["{'a':1}", 500, "invalid character ''' looking for beginning of value"],
    ['{"a":.5}', 500, "invalid character '.' looking for beginning of value"],
    ['{"a":0x10}', 500, "invalid character 'x' looking for beginning of value"],
    ['{"a":01}', 500, "invalid character '1' after top-level value"],
    ['{"a":1}x', 500, "invalid character 'x' after top-level value"],
    ['{"a":1}{"b":2}', 500, "invalid character '{' after top-level value"],
    ['{"a":1,}', 500, "invalid character '}' after object key-value pair"],
    ["{,}", 500, "invalid character '}' after object key-value pair"],
    ['{"a":}', 500, "invalid character '}' after object key"],
    ["[1,]", 500, "invalid character ']' after array element"],
    ['{"a":"b\\q"}', 500, "invalid character 'q' in string escape code"],
    ['{"a":"\\u12g4"}', 500, "invalid character 'g' in string escape code"],
    ['{"a":-}', 500, "malformed JSON, invalid number syntax for '-'"],
    ['{"a":1e+}', 500, "malformed JSON, invalid number syntax for '1e+'"],
    ['{"a" 1}', 400, cannotParse("invalid character '1' after object key")],
    ['{"a":tru}', 400, cannotParse("invalid character '}' in literal true (expecting 'e')")],
    ['{"a":1 "b":2}', 400, cannotParse("invalid character '\"' after object key:value pair")],
    ["[1 2]", 400, cannotParse("invalid character '2' after array element")],
    ['{"a":"x\ny"}', 400, cannotParse("invalid character '\\n' in string literal")],
    ['{"a":1.}', 400, cannotParse("invalid character '}' after decimal point in numeric literal")],
    ["{1:2}", 400, cannotParse("invalid character '1' looking for beginning of object key string")],
    ["b", 400, cannotParse("invalid character 'b' looking for beginning of value")],
    ["tru", 400, cannotParse("unexpected EOF")],
    ["[1]", 400, cannotParse("json: cannot unmarshal array into Go value of type map[string]interface {}")],
    ["5", 400, cannotParse("json: cannot unmarshal number into Go value of type map[string]interface {}")],
    ['"x"', 400, cannotParse("json: cannot unmarshal string into Go value of type map[string]interface {}")],
    ["true", 400, cannotParse("json: cannot unmarshal bool into Go value of type map[string]interface {}")],
  ])("%j is %i %j", async (body, status, text) => {
    const answer = await ask("POST auth/jwt/role/x", body, { headers: { "content-type": "application/json" } });
    expect(errorOf(answer)).toEqual([status, text]);
  });

  it.each([
    ["nesting of 300", nested(299), 400],
    ["nesting of 301", nested(300), 500, "JSON input exceeds allowed nesting depth"],
    ["a string of 1 MiB", `{"a":"${"x".repeat(1_048_576)}"}`, 400],
    ["a longer string", `{"a":"${"x".repeat(1_048_577)}"}`, 500, "JSON string value exceeds allowed length"],
    ["10,000 elements", listOf(10_000), 400],
    ["10,001 elements", listOf(10_001), 500, "JSON array exceeds allowed element count"],
    ["10,001 members", objectOf(10_001), 500, "JSON object exceeds allowed entry count"],
  ])("%s", async (_name, body, status, text = noUserClaim) => {
    expect(errorOf(await ask("POST auth/jwt/role/x", body))).toEqual([status, text]);
  });

  it("is limited before the token is looked at, whatever the verb", async () => {
    const broken = '{"a":1,"a":2}';
    expect((await ask("POST auth/jwt/role/x", broken, { token: null })).status).toBe(500);
    expect((await ask("DELETE auth/jwt/role/x", broken)).status).toBe(500);
  });

  it("may be a form, with repeated keys joined by commas", async () => {
    const form = "user_claim=sub&role_type=jwt&bound_audiences=a&bound_audiences=b";
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await ask("POST auth/jwt/role/form", form, { headers })).status).toBe(204);
    expect((await ask("GET auth/jwt/role/form")).data).toMatchObject({ bound_audiences: ["a", "b"] });
    expect(errorOf(await ask("POST auth/jwt/role/form", "%zz=1", { headers }))).toEqual([
      400,
      "error parsing form data",
    ]);
  });

  it("keeps a member called __proto__ to itself", async () => {
    const body = '{"role_type":"jwt","user_claim":"a","bound_claims":{"__proto__":"x"}}';
    expect((await ask("POST auth/jwt/role/proto", body)).status).toBe(204);
    expect((await ask("GET auth/jwt/role/proto")).text).toContain('"bound_claims":{"__proto__":"x"}');
  });
});

describe("unknown fields", () => {
  const role = { role_type: "jwt", user_claim: "sub", bound_subject: "x" };
  const ignored = (names: string) => `Endpoint ignored these unrecognized parameters: [${names}]`;

  it("never fail, and warn only beside an answer", async () => {
    expect((await ask("POST auth/jwt/role/warned", { ...role, nmae: 1 })).status).toBe(204);
    const answer = await ask("POST auth/jwt/role/warned", { ...role, b: 1, a: 2, verbose_oidc_logging: true });
    expect(answer.status).toBe(200);
    expect(answer.warnings?.at(-1)).toBe(ignored("a b"));
    expect(answer.data).toBeNull();
  });

  it("in the query of a list turn the empty 404 into an answer", async () => {
    expect((await ask("GET cloud/roles?list=true")).status).toBe(404);
    const answer = await ask("GET cloud/roles?list=true&zz=1");
    expect([answer.status, answer.data, answer.warnings]).toEqual([200, {}, [ignored("zz")]]);
  });

  it("a name in the body loses against the path, with a warning", async () => {
    const answer = await ask("POST auth/jwt/role/u", { ...role, name: "other", verbose_oidc_logging: true });
    expect(answer.warnings?.at(-1)).toBe(
      "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [name]",
    );
    expect((await ask("GET auth/jwt/role/other")).status).toBe(404);
  });
});

describe("an answer", () => {
  // @covers jwt: Endpoints > bodies of answers
  // @covers cloud: Endpoints > bodies of answers
  it("has all members of the envelope, and Go's escapes and order", async () => {
    await ask(
      "POST auth/jwt/role/esc",
      '{"role_type":"jwt","user_claim":"a","bound_claims":{"z":"<&>","a":1.0,"B":1e3}}',
    );
    const { text } = await ask("GET auth/jwt/role/esc");
    expect(text).toContain('"bound_claims":{"B":1e3,"a":1.0,"z":"\\u003c\\u0026\\u003e"}');
    expect(text.endsWith("\n")).toBe(true);
    expect(Object.keys(JSON.parse(text))).toEqual([
      "request_id",
      "lease_id",
      "renewable",
      "lease_duration",
      "data",
      "wrap_info",
      "warnings",
      "auth",
      "mount_type",
    ]);
  });

  it.each([
    ["auth/jwt/role/typed", "jwt"],
    ["sys/mounts", "system"],
    ["auth/token/lookup-self", "token"],
    ["cloud/config/root", "cloud"],
  ])("of %s names the mount's type %s", async (path, type) => {
    await ask("POST cloud/config/root", { access_key: "a", secret_key: "b" });
    await ask("POST auth/jwt/role/typed", { role_type: "jwt", user_claim: "a", bound_subject: "x" });
    expect(JSON.parse((await ask(`GET ${path}`)).text)).toMatchObject({ mount_type: type });
  });

  it.each([
    ["sys/mounts", true],
    ["sys/auth/jwt", true],
    ["sys/auth/jwt/tune", true],
    ["sys/policy", true],
    ["sys/policies/acl/default", false],
    ["auth/token/lookup-self", false],
  ])("of %s repeats its data at the top level: %s", async (path, repeats) => {
    const { text, data } = await ask(`GET ${path}`);
    const isRepeated = Object.keys(data ?? {}).every((key) => key in JSON.parse(text));
    expect(isRepeated).toBe(repeats);
  });
});
