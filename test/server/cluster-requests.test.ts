import { describe, expect, it } from "vitest";
import { setUpCluster } from "./cluster-harness";

describe("the strict decoder", () => {
  const type = "PeeringGenerateTokenRequest";
  // @covers peering: Endpoints > JSON both ways
  it.each([
    ["", "EOF"],
    [" \n", "EOF"],
    ["{", "unexpected EOF"],
    ['{"PeerName":"a', "unexpected EOF"],
    ["abc", "invalid character 'a' looking for beginning of value"],
    ["{é}", "invalid character 'Ã' looking for beginning of object key string"],
    ["\u0001", "invalid character '\\x01' looking for beginning of value"],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
    ['{"PeerName":"foo",}', "invalid character '}' looking for beginning of object key string"],
    ['{"PeerName" 1}', "invalid character '1' after object key"],
    ['{"PeerName":"a" "b"}', "invalid character '\"' after object key:value pair"],
    ['{"PeerName":01}', "invalid character '1' after object key:value pair"],
    ['{"ServerExternalAddresses":["a" 1]}', "invalid character '1' after array element"],
    ['{"PeerName":"a\tb"}', "invalid character '\\t' in string literal"],
    ['{"PeerName":"a\\q"}', "invalid character 'q' in string escape code"],
    ['{"PeerName":"\\u12g"}', "invalid character 'g' in \\u hexadecimal character escape"],
    ['{"PeerName":tru}', "invalid character '}' in literal true (expecting 'e')"],
    ['{"PeerName":-}', "invalid character '}' in numeric literal"],
    ['{"PeerName":1.}', "invalid character '}' after decimal point in numeric literal"],
    ['{"PeerName":1e}', "invalid character '}' in exponent of numeric literal"],
    ["[".repeat(100_000), "invalid character '[' exceeded max depth"],
    ["[]", `json: cannot unmarshal array into Go value of type api.${type}`],
    ['"x"', `json: cannot unmarshal string into Go value of type api.${type}`],
    ['{"Datacenter":"dc1"}', 'json: unknown field "Datacenter"'],
    ['{"Foo":2,"PeerName":1}', 'json: unknown field "Foo"'],
    ['{"PeerName":1,"Foo":2}', `json: cannot unmarshal number into Go struct field ${type}.PeerName of type string`],
    ['{"Meta":[]}', `json: cannot unmarshal array into Go struct field ${type}.Meta of type map[string]string`],
    ['{"Meta":{"a":1}}', `json: cannot unmarshal number into Go struct field ${type}.Meta of type string`],
    [
      '{"ServerExternalAddresses":"a"}',
      `json: cannot unmarshal string into Go struct field ${type}.ServerExternalAddresses of type []string`,
    ],
    [
      '{"ServerExternalAddresses":[true]}',
      `json: cannot unmarshal bool into Go struct field ${type}.ServerExternalAddresses of type string`,
    ],
  ])("answers the body %j with 400", async (body, text) => {
    const { call } = setUpCluster();
    const answer = await call("POST /v1/peering/token", { body });
    expect(answer).toMatchObject({ status: 400, text: `Body decoding failed: ${text}` });
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  it("names the establish request by its own type", async () => {
    const { call } = setUpCluster();
    const answer = await call("POST /v1/peering/establish", { body: '{"PeeringToken":1}' });
    expect(answer.text).toBe(
      "Body decoding failed: json: cannot unmarshal number into Go struct field PeeringEstablishRequest.PeeringToken of type string",
    );
  });

  it("takes keys in any case, merges a repeated map and does not read what follows the value", async () => {
    const { call, read } = setUpCluster();
    const body = '{"peername":"foo","Meta":{"b":"1","a":null},"meta":{"c":"<3>"}} junk';
    expect((await call("POST /v1/peering/token", { body })).status).toBe(200);
    expect((await read("foo")).Meta).toEqual({ a: "", b: "1", c: "<3>" });
  });
});

describe("the rules of names, metadata and partitions", () => {
  const badName = (name: string) =>
    `${name} is not a valid peer name: a valid peering name must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character`;
  const pair = (key: string, value: string, problem: string) =>
    `meta tags failed validation: Couldn't load metadata pair ('${key}', '${value}'): ${problem}`;
  const long = "k".repeat(129);
  const wide = "é".repeat(257);
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, ""]));

  // @covers peering: Authentication, errors, limits, versions > rate and size limits
  it.each<[Record<string, unknown> | null, number, string]>([
    [null, 400, "PeerName is required in the payload when generating a new peering token."],
    [{ PeerName: "" }, 400, "PeerName is required in the payload when generating a new peering token."],
    [{ PeerName: "Foo" }, 500, badName("Foo")],
    [{ PeerName: "-foo" }, 500, badName("-foo")],
    [{ PeerName: "a".repeat(64) }, 500, badName("a".repeat(64))],
    [{ PeerName: "foo", Partition: "x" }, 500, "Partitions are a Consul Enterprise feature"],
    [{ PeerName: "Foo", Partition: "x" }, 500, "Partitions are a Consul Enterprise feature"],
    [{ PeerName: "foo", Meta: { "": "v" } }, 500, pair("", "v", "Key cannot be blank")],
    [{ PeerName: "foo", Meta: { "a b": "v" } }, 500, pair("a b", "v", "Key contains invalid characters")],
    [{ PeerName: "foo", Meta: { [long]: "v" } }, 500, pair(long, "v", "Key is too long (limit: 128 characters)")],
    [
      { PeerName: "foo", Meta: { "consul-x": "v" } },
      500,
      pair("consul-x", "v", "Key prefix 'consul-' is reserved for internal use"),
    ],
    [{ PeerName: "foo", Meta: { a: wide } }, 500, pair("a", wide, "Value is too long (limit: 512 characters)")],
    [
      { PeerName: "foo", Meta: many },
      500,
      "meta tags failed validation: Node metadata cannot contain more than 64 key/value pairs",
    ],
  ])("refuse %j, whoever asks", async (body, status, text) => {
    const { call } = setUpCluster();
    for (const secret of [undefined, null]) {
      const answer = await call("POST /v1/peering/token", { body, ...(secret === null ? { secret } : {}) });
      expect(answer).toMatchObject({ status, text });
    }
  });

  // @covers peering: Authentication, errors, limits, versions > rate and size limits
  it("allow 64 pairs, empty values, line breaks, 512 bytes and a reserved prefix in another case", async () => {
    const { generate, read } = setUpCluster();
    const meta = { "Consul-x": "", lines: "a\nb", wide: "é".repeat(256) };
    await generate({ PeerName: "a".repeat(63), Partition: "Default", Meta: meta });
    expect((await read("a".repeat(63))).Meta).toEqual(meta);
    await generate({ PeerName: "many", Meta: Object.fromEntries(Object.entries(many).slice(0, 64)) });
  });

  const enterprise = "Partitions are a Consul Enterprise feature";
  // @covers peering: Peering connection > Partition
  it.each([
    "POST /v1/peering/token",
    "POST /v1/peering/establish",
    "GET /v1/peering/foo",
    "DELETE /v1/peering/foo",
    "GET /v1/peerings",
  ])("refuse a partition beside %s", async (line) => {
    const { call } = setUpCluster();
    const body = line.startsWith("POST") ? { PeerName: "foo", PeeringToken: "x" } : undefined;
    const sent = line.endsWith("token") ? { body: { PeerName: "foo" } } : body ? { body } : {};
    expect(await call(`${line}?partition=x`, sent)).toMatchObject({
      status: 400,
      text: `Invalid query parameter: "partition" - ${enterprise}`,
    });
    expect(await call(line, { ...sent, headers: { "x-consul-partition": "default" } })).toMatchObject({
      status: 400,
      text: `Invalid header: "X-Consul-Partition" - ${enterprise}`,
    });
  });
});
