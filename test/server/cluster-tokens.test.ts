import { describe, expect, it } from "vitest";
import { createCertificateAuthority } from "../../server/cluster/certificate-authority";
import { decode, encode, idle, nothingHidden, nowhere, setUpCluster, uuid } from "./cluster-harness";

describe("a token", () => {
  // @covers peering: Endpoints > bodies of answers
  it("says where and as whom the other cluster finds this one", async () => {
    const { call, generate, read } = setUpCluster({ datacenter: "east" });
    const text = await generate({ PeerName: "foo", ServerExternalAddresses: ["32.1.2.3"] });
    const { TrustDomain, Roots } = JSON.parse((await call("GET /v1/connect/ca/roots")).text);
    const content = decode(text);
    expect(content).toEqual({
      CA: [Roots[0].RootCert],
      ManualServerAddresses: ["32.1.2.3"],
      ServerAddresses: [nowhere],
      ServerName: `server.east.peering.${TrustDomain}`,
      PeerID: (await read("foo")).ID,
      EstablishmentSecret: expect.stringMatching(uuid),
      Remote: { Partition: "", Datacenter: "east", Locality: null },
    });
    expect(Object.keys(content).join()).toBe(
      "CA,ManualServerAddresses,ServerAddresses,ServerName,PeerID,EstablishmentSecret,Remote",
    );
  });

  it("creates a PENDING acceptor", async () => {
    const { call, generate } = setUpCluster();
    await generate({ PeerName: "foo" });
    const answer = await call("GET /v1/peering/foo");
    const record = JSON.parse(answer.text);
    expect(record).toEqual({
      ID: expect.stringMatching(uuid),
      Name: "foo",
      State: "PENDING",
      StreamStatus: idle,
      CreateIndex: record.ModifyIndex,
      ModifyIndex: Number(answer.headers.get("x-consul-index")),
      Remote: { Partition: "", Datacenter: "" },
    });
    expect(Object.keys(record).join()).toBe("ID,Name,State,StreamStatus,CreateIndex,ModifyIndex,Remote");
  });

  it("issued again has a new secret for the same record, whose Meta stays", async () => {
    const { generate, read, service } = setUpCluster();
    const first = decode(await generate({ PeerName: "foo", Meta: { a: "1" } }));
    const before = await read("foo");
    const second = decode(await generate({ PeerName: "foo", Meta: { b: "2" } }));
    const after = await read("foo");
    expect(second.PeerID).toBe(first.PeerID);
    expect(second.EstablishmentSecret).not.toBe(first.EstablishmentSecret);
    expect(after).toEqual({ ...before, ModifyIndex: expect.any(Number) });
    expect(after.ModifyIndex).toBeGreaterThan(before.ModifyIndex);
    expect(service.records()).toEqual({
      "peering/foo": { ...after, ...nothingHidden, EstablishmentSecret: second.EstablishmentSecret },
    });
  });

  it("is refused for the name of a dialer", async () => {
    const { call, establish } = setUpCluster();
    await establish("foo", await setUpCluster().generate({ PeerName: "bar" }));
    expect(await call("POST /v1/peering/token", { body: { PeerName: "foo" } })).toMatchObject({
      status: 500,
      text: 'cannot create peering with name: "foo"; there is already an established peering',
    });
  });

  it("for a peering that is being deleted is useless: 200, and nothing is stored", async () => {
    const { call, generate, read, service } = setUpCluster({ deleteDelayMs: 60_000 });
    await generate({ PeerName: "foo" });
    await call("DELETE /v1/peering/foo");
    const before = await read("foo");
    await generate({ PeerName: "foo" });
    expect(await read("foo")).toEqual(before);
    expect(service.records()).toMatchObject({ "peering/foo": { EstablishmentSecret: "" } });
  });
});

describe("establishing", () => {
  const address = (text: string) => ({ ServerAddresses: [text] });
  const badAddress = (text: string): [unknown, string] => [
    address(text),
    `${text} is not a valid peering server address`,
  ];
  const block = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;
  const ca = { CA: [createCertificateAuthority({ now: new Date() }).rootPem], ServerAddresses: ["a:1"] };

  it.each<[unknown, string]>([
    [{}, "peering token server addresses value is empty"],
    ["null", "peering token server addresses value is empty"],
    ["\n", "unexpected end of JSON input"],
    ["abc", "invalid character 'a' looking for beginning of value"],
    ['{"PeerID":"x"}x', "invalid character 'x' after top-level value"],
    ["[]", "json: cannot unmarshal array into Go value of type structs.PeeringToken"],
    [{ CA: 1 }, "json: cannot unmarshal number into Go struct field PeeringToken.CA of type []string"],
    [
      { Remote: 1 },
      "json: cannot unmarshal number into Go struct field PeeringToken.Remote of type structs.PeeringTokenRemote",
    ],
    [
      { Remote: { Locality: { Region: 3 } } },
      "json: cannot unmarshal number into Go struct field Locality.Remote.Locality.Region of type string",
    ],
    [{ CA: ["x"] }, "peering token invalid CA: no PEM-encoded data found"],
    [{ CA: [block("PRIVATE KEY")] }, "peering token invalid CA: first PEM-block should be CERTIFICATE type"],
    [{ CA: [block("CERTIFICATE")] }, "peering token invalid CA: x509: malformed certificate"],
    badAddress("1.2.3.4"),
    badAddress("2001:db8::1"),
    badAddress("2001:db8::1:80"),
    badAddress("a:0"),
    badAddress("a:65536"),
    badAddress("a:http"),
    [{ ManualServerAddresses: ["m"], ServerAddresses: ["s"] }, "m is not a valid peering server address"],
    [ca, "peering token server name value is empty"],
    [{ ...ca, ServerName: "s" }, "peering token peer ID value is empty"],
    [address("a:1"), "peering token peer ID value is empty"],
  ])("refuses a token that holds %j", async (content, text) => {
    expect(await setUpCluster().establish("foo", encode(content))).toMatchObject({ status: 500, text });
  });

  it.each([
    ["+++/+++", 4],
    ["not base64", 3],
    ["e30", 0],
    ["e30=x", 4],
    ["MQ=x", 2],
    ["MQ=", 3],
    ["M===", 1],
    ["=", 0],
  ])("refuses %j as base64", async (text, position) => {
    const answer = await setUpCluster().establish("foo", text);
    expect(answer).toMatchObject({
      status: 500,
      text: `failed to decode token: illegal base64 data at input byte ${position}`,
    });
  });

  it("checks the required fields, then the name, then the token, then Meta, then the permission", async () => {
    const { call } = setUpCluster();
    const good = encode({ ...address("a:1"), PeerID: "p" });
    const cases: [Record<string, unknown>, number, string][] = [
      [{ PeeringToken: "x" }, 400, "PeerName is required in the payload when establishing a peering."],
      [{ PeerName: "F" }, 400, "PeeringToken is required in the payload when establishing a peering."],
      [{ PeerName: "F", PeeringToken: "x" }, 500, "F is not a valid peer name"],
      [{ PeerName: "f", PeeringToken: "x", Meta: { "": "" } }, 500, "failed to decode token"],
      [{ PeerName: "f", PeeringToken: good, Meta: { "": "" } }, 500, "meta tags failed validation"],
      [{ PeerName: "f", PeeringToken: good }, 403, "Permission denied"],
    ];
    for (const [body, status, text] of cases) {
      const answer = await call("POST /v1/peering/establish", { body, secret: null });
      expect(answer.status).toBe(status);
      expect(answer.text).toContain(text);
    }
  });

  it("without reaching the other cluster leaves a PENDING dialer", async () => {
    const [here, there] = [setUpCluster(), setUpCluster({ datacenter: "dc2" })];
    const text = await there.generate({ PeerName: "back" });
    const token = decode(text);
    expect(await here.establish("foo", text, { Meta: { b: "1", a: "2" }, Partition: "x" })).toMatchObject({
      status: 503,
      text: expect.stringContaining(`dial tcp ${nowhere}: connect: connection refused`),
    });
    const record = await here.read("foo");
    expect(record).toEqual({
      ID: expect.stringMatching(uuid),
      Name: "foo",
      Meta: { a: "2", b: "1" },
      State: "PENDING",
      PeerID: token.PeerID,
      PeerCAPems: token.CA,
      PeerServerName: token.ServerName,
      PeerServerAddresses: [nowhere],
      StreamStatus: idle,
      CreateIndex: record.ModifyIndex,
      ModifyIndex: record.ModifyIndex,
      Remote: { Partition: "", Datacenter: "dc2" },
    });
    expect(Object.keys(record.Meta)).toEqual(["a", "b"]);
    // Nor is the secret of the token kept: the other cluster may have taken it for used.
    expect(here.service.records()).toEqual({ "peering/foo": { ...record, ...nothingHidden } });
  });

  // @covers peering: Fields of the stored record > ID
  it("again with another token replaces everything but the identity", async () => {
    const { establish, read } = setUpCluster();
    await establish("foo", await setUpCluster().generate({ PeerName: "bar" }), { Meta: { a: "1" } });
    const before = await read("foo");
    const other = { ManualServerAddresses: ["m:1"], ServerAddresses: ["s:1"], PeerID: "p" };
    const remote = { Remote: { Datacenter: "dcx", Locality: { Region: "r" } } };
    await establish("foo", encode({ ...other, ...remote }));
    expect(await read("foo")).toEqual({
      ID: before.ID,
      Name: "foo",
      State: "PENDING",
      PeerID: "p",
      PeerServerAddresses: ["s:1"],
      StreamStatus: idle,
      CreateIndex: before.CreateIndex,
      ModifyIndex: before.ModifyIndex + 1,
      Remote: { Partition: "", Datacenter: "dcx", Locality: { Region: "r", Zone: "" } },
    });
  });

  it("dials host names, IPv6, an empty host and what is behind line breaks in the base64", async () => {
    for (const text of ["host:1", "[::1]:1", ":80", "a b:1"]) {
      const token = encode({ ...address(text), PeerID: "p", Unknown: 1 });
      expect((await setUpCluster().establish("foo", `${token.slice(0, 5)}\r\n${token.slice(5)}`)).status).toBe(503);
    }
  });

  it("refuses the cluster's own token and leaves no record", async () => {
    const { establish, generate, call } = setUpCluster();
    const token = await generate({ PeerName: "foo" });
    const name = decode(token).ServerName;
    expect(await establish("bar", token)).toMatchObject({
      status: 500,
      text: `cannot create a peering within the same cluster "${name}". Refer to the \`exported-services\` documentation if you want to export between partitions without peering`,
    });
    expect((await call("GET /v1/peering/bar")).status).toBe(404);
  });

  it("refuses the name of an acceptor, and a dialer that is being deleted", async () => {
    const { establish, generate, call } = setUpCluster({ deleteDelayMs: 60_000 });
    const token = await setUpCluster().generate({ PeerName: "x" });
    await generate({ PeerName: "foo" });
    expect(await establish("foo", token)).toMatchObject({
      status: 500,
      text: 'cannot create peering with name: "foo"; there is an existing peering expecting to be dialed',
    });
    await establish("bar", token);
    await call("DELETE /v1/peering/bar");
    expect(await establish("bar", token)).toMatchObject({
      status: 500,
      text: "failed to write peering: cannot write to peering that is marked for deletion",
    });
  });
});
