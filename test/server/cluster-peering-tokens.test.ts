import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { openForwarder } from "../support/tcp-forwarder";
import {
  decode,
  encode,
  expectStates,
  nowhere,
  openCluster,
  openPair,
  openPeered,
  polling,
  say,
} from "./cluster-harness";

/** Tries again for a moment, so that a failure shows more than one try. */
const patient = { exchangePace: { windowMs: 400, pauseMs: 10 } };
const invalid = {
  status: 403,
  text: "a new peering token must be generated: invalid peering establishment secret",
};
const dial = (address: string, text: string) =>
  `\t* failed to exchange peering secret through address "${address}": rpc error: code = Unavailable desc = ${text}\n`;
const notDialled = (problem: string) =>
  `connection error: desc = "transport: Error while dialing: dial tcp ${problem}: connect: connection refused"`;

// Document 2: "Token fetched from the peer cluster"; reference cluster B.5 and B.6 for what becomes of it.
describe("a peering token", () => {
  // @covers peering: What the service does > token, establishment, records
  it("leads to the cluster that issued it", async () => {
    const { here, token } = await openPair();
    expect(decode(token)).toMatchObject({ ServerAddresses: [here.address], ManualServerAddresses: null });
  });

  it("names the address that it was asked for at, also where the connection had begun with a verb of its own", async () => {
    const { here } = await openPair();
    const body = JSON.stringify({ PeerName: "north" });
    const head = `host: x\r\nx-consul-token: ${here.token}\r\nconnection: close\r\ncontent-length: ${body.length}`;
    const list = "LIST /v1/peerings HTTP/1.1\r\nhost: x\r\n\r\n";
    const answers = await say(here.address, `${list}POST /v1/peering/token HTTP/1.1\r\n${head}\r\n\r\n${body}`);
    const [, token = ""] = /"PeeringToken":"([^"]+)"/.exec(answers) ?? [];
    expect(decode(token)).toMatchObject({ ServerAddresses: [here.address] });
  });

  it("works once: a second use is refused at once, and changes no state", async () => {
    const { here, there, token } = await openPeered({ there: patient });
    expect(await there.establish("west", token)).toMatchObject(invalid);
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
  });

  it("works once, whoever comes second", async () => {
    const { token } = await openPeered();
    const third = await openCluster({ datacenter: "dc3", ...patient });
    expect(await third.establish("west", token)).toMatchObject(invalid);
    expect(await third.read("west")).toMatchObject({ State: "PENDING", StreamStatus: { LastReceive: null } });
  });

  it("that was issued again invalidates the one before it", async () => {
    const { here, there, token } = await openPair();
    const second = await here.generate({ PeerName: "east" });
    expect(await there.establish("west", token)).toMatchObject(invalid);
    expect(await there.establish("west", second)).toMatchObject({ status: 200, text: "{}" });
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
  });

  it("that is issued again does not disturb a connection, and renews Meta when it is used", async () => {
    const { here, there } = await openPeered();
    const before = await there.read("west");
    const token = await here.generate({ PeerName: "east", Meta: { ignored: "1" } });
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
    expect(await there.establish("west", token, { Meta: { team: "edge" } })).toMatchObject({ status: 200 });
    const after = await there.read("west");
    expect(after).toEqual({
      ...before,
      Meta: { team: "edge" },
      ModifyIndex: expect.any(Number),
      StreamStatus: expect.anything(),
    });
    expect(after.ModifyIndex).toBeGreaterThan(before.ModifyIndex + 1);
    expect(await here.read("east")).not.toHaveProperty("Meta");
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
  });

  it("of a deleted acceptor is refused, also when its name is taken again", async () => {
    const { here, there, token } = await openPair({ here: { deleteDelayMs: 0 } });
    await here.call("DELETE /v1/peering/east");
    expect(await there.establish("west", token)).toMatchObject(invalid);
    await here.generate({ PeerName: "east" });
    expect(await there.establish("west", token)).toMatchObject(invalid);
  });

  it.each([
    ["an invented secret", { EstablishmentSecret: "11111111-2222-3333-4444-555555555555" }],
    ["no secret", { EstablishmentSecret: "" }],
    ["the id of a record that is not there", { PeerID: "11111111-2222-3333-4444-555555555555" }],
  ])("with %s is refused, and leaves a dialer that the next token completes", async (_, wrong) => {
    const { here, there, token } = await openPair({ there: patient });
    expect(await there.establish("west", encode({ ...decode(token), ...wrong }))).toMatchObject(invalid);
    expect(await there.stateOf("west")).toBe("PENDING");
    const { ID } = await there.read("west");
    expect(await there.establish("west", token)).toMatchObject({ status: 200 });
    expect((await there.read("west")).ID).toBe(ID);
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
  });

  it("with an id that is none is tried for a while, and is an error of the other cluster's", async () => {
    const { there, token } = await openPair({ there: patient });
    const answer = await there.establish("west", encode({ ...decode(token), PeerID: "nope" }));
    expect(answer.status).toBe(500);
    expect(answer.text).toContain(
      "rpc error: code = Internal desc = failed to read peering secret: failed peering secret lookup: index error: UUID must be 36 characters\n",
    );
  });

  it("does not work in the direction that its name is used in already", async () => {
    const { here, there } = await openPeered();
    expect(await here.establish("east", await there.generate({ PeerName: "back" }))).toMatchObject({
      status: 500,
      text: 'cannot create peering with name: "east"; there is an existing peering expecting to be dialed',
    });
    expect(await there.call("POST /v1/peering/token", { body: { PeerName: "west" } })).toMatchObject({
      status: 500,
      text: 'cannot create peering with name: "west"; there is already an established peering',
    });
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
  });

  it("of each direction makes two peerings between the same clusters", async () => {
    const { here, there } = await openPeered();
    expect(await here.establish("back", await there.generate({ PeerName: "forth" }))).toMatchObject({ status: 200 });
    await expect
      .poll(async () => [await here.stateOf("back"), await there.stateOf("forth")], polling)
      .toEqual(["ACTIVE", "ACTIVE"]);
  });

  it("of two that are used at the same moment lets one in", async () => {
    const { token } = await openPair();
    const dialers = await Promise.all(["dc2", "dc3"].map((datacenter) => openCluster({ datacenter })));
    const answers = await Promise.all(dialers.map(({ establish }) => establish("west", token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });
});

// Document 2: ServerExternalAddresses, "load balancers or external IPs routing to the cluster's servers".
describe("external addresses", () => {
  // @covers peering: Fields of the stored record > PeerServerAddresses
  it("are dialled, and the server's own are shown once the clusters are connected", async () => {
    const { here, there } = await openPair();
    const forwarder = await openForwarder(here.address);
    onTestFinished(() => forwarder.cut());
    const token = await here.generate({ PeerName: "east", ServerExternalAddresses: [forwarder.address] });
    await there.establish("west", token);
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
    expect(forwarder.taken()).toBe(2);
    expect(await there.read("west")).toMatchObject({ PeerServerAddresses: [here.address] });
  });

  // @covers peering: Peering connection > ServerExternalAddresses
  it("are dialled instead of the server's own, not before them", async () => {
    const { here, there } = await openPair();
    const token = await here.generate({ PeerName: "east", ServerExternalAddresses: [nowhere] });
    expect(await there.establish("west", token)).toMatchObject({
      status: 503,
      text: `1 error occurred:\n${dial(nowhere, notDialled(nowhere))}\n`,
    });
  });

  it("are tried in turn", async () => {
    const { here, there } = await openPair({ there: { exchangePace: { windowMs: 10_000, pauseMs: 1 } } });
    const ServerExternalAddresses = ["127.0.0.1:1", nowhere, here.address];
    const token = await here.generate({ PeerName: "east", ServerExternalAddresses });
    expect(await there.establish("west", token)).toMatchObject({ status: 200 });
    await expectStates({ here, there }, "ACTIVE", "ACTIVE");
  });
});

// All of it asked of Consul 1.22.0, whose gRPC client the words are of.
describe("an establishment that reaches nobody", () => {
  it("names every try, and answers 503", async () => {
    const { there, token } = await openPair({ there: patient });
    const addresses = ["127.0.0.1:1", nowhere];
    const answer = await there.establish("west", encode({ ...decode(token), ServerAddresses: addresses }));
    expect(answer.status).toBe(503);
    const [first, ...tries] = answer.text.trimEnd().split("\n");
    expect(first).toBe(`${tries.length} errors occurred:`);
    expect(new Set(tries)).toEqual(new Set(addresses.map((at) => dial(at, notDialled(at)).trimEnd())));
    expect(answer.text.endsWith("\n\n")).toBe(true);
  });

  it("takes three seconds", async () => {
    const { there, token } = await openPair({ there: { exchangePace: undefined } });
    const begin = performance.now();
    const answer = await there.establish("west", encode({ ...decode(token), ServerAddresses: [nowhere] }));
    expect(answer.status).toBe(503);
    expect(performance.now() - begin).toBeGreaterThan(2900);
    expect(Number(/^\d+/.exec(answer.text)?.[0])).toBeGreaterThan(9);
  });

  it("ends with its cluster", async () => {
    const { there, token } = await openPair({ there: { exchangePace: undefined } });
    const begin = performance.now();
    const answer = there.establish("west", encode({ ...decode(token), ServerAddresses: [nowhere] }));
    await there.close();
    expect((await answer).status).toBe(503);
    expect(performance.now() - begin).toBeLessThan(2500);
  });

  const handshake = (problem: string) =>
    `connection error: desc = "transport: authentication handshake failed: ${problem}"`;

  it.each([
    ["says nothing", () => undefined, "context deadline exceeded", 50],
    ["hangs up", (end: () => void) => end(), "EOF", 20_000],
  ] as const)("says so of a server that %s", async (_, act, problem, handshakeMs) => {
    const mute = createServer((socket) => act(() => socket.destroy()));
    await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void mute.close());
    const forwarded = await openForwarder(`127.0.0.1:${(mute.address() as { port: number }).port}`);
    onTestFinished(() => forwarded.cut());
    const { there, token } = await openPair({ there: { handshakeMs } });
    const wrong = { ...decode(token), ServerAddresses: [forwarded.address] };
    expect((await there.establish("west", encode(wrong))).text).toContain(dial(forwarded.address, handshake(problem)));
  });

  it.each([
    [
      "another cluster's name",
      { ServerName: "server.dc9" },
      (name: string) => `certificate is valid for ${name}, not server.dc9`,
    ],
    ["another cluster's CA", { CA: undefined }, () => "certificate signed by unknown authority"],
  ] as const)("says so of a token with %s", async (_, wrong, problem) => {
    const { here, there, token } = await openPair();
    const { Roots } = JSON.parse((await there.call("GET /v1/connect/ca/roots")).text);
    const content = decode(token);
    const answer = await there.establish(
      "west",
      encode({ ...content, CA: [Roots[0].RootCert], ...("CA" in wrong ? {} : wrong) }),
    );
    const text = `tls: failed to verify certificate: x509: ${problem(content.ServerName)}`;
    expect(answer).toMatchObject({ status: 503, text: expect.stringContaining(dial(here.address, handshake(text))) });
  });

  it("says so of a token without a CA, which is dialled without TLS", async () => {
    const { here, there, token } = await openPair();
    const answer = await there.establish("west", encode({ ...decode(token), CA: null }));
    const text = 'connection error: desc = "error reading server preface: EOF"';
    expect(answer).toMatchObject({ status: 503, text: expect.stringContaining(dial(here.address, text)) });
  });

  // @covers peering: Authentication, errors, limits, versions > since 1.13.0
  it("says so of a server that has no peerings", async () => {
    const closed = await openCluster({ peeringEnabled: false });
    const { there, token } = await openPair();
    const answer = await there.establish("west", encode({ ...decode(token), ServerAddresses: [closed.address] }));
    const text = handshake("tls: first record does not look like a TLS handshake");
    expect(answer).toMatchObject({ status: 503, text: expect.stringContaining(dial(closed.address, text)) });
  });
});

// Reference B.6.
describe("a token of a third cluster on a connected dialer", () => {
  it("is shown to the cluster that is connected, which refuses it, and the record says otherwise until it is repaired", async () => {
    const { here, there } = await openPeered();
    const third = await openCluster({ datacenter: "dc3" });
    const foreign = await third.generate({ PeerName: "east" });
    const { ServerName, PeerID } = decode(foreign);
    const answer = await there.establish("west", foreign);
    expect(answer.status).toBe(503);
    expect(answer.text).toContain(`"${here.address}"`);
    expect(answer.text).toMatch(new RegExp(`x509: certificate is valid for server\\.dc1\\..*, not ${ServerName}"`));
    expect(await there.read("west")).toMatchObject({
      State: "ACTIVE",
      PeerID,
      PeerServerName: ServerName,
      PeerServerAddresses: [here.address],
      Remote: { Datacenter: "dc3" },
    });
    expect(await there.establish("west", await here.generate({ PeerName: "east" }))).toMatchObject({ status: 200 });
    expect(await there.read("west")).toMatchObject({ State: "ACTIVE", Remote: { Datacenter: "dc1" } });
  });

  it("moves the peering once the stream is down", async () => {
    const { here, there } = await openPeered();
    const third = await openCluster({ datacenter: "dc3" });
    await here.call("DELETE /v1/peering/east");
    await expect.poll(() => there.stateOf("west"), polling).toBe("TERMINATED");
    expect(await there.establish("west", await third.generate({ PeerName: "east" }))).toMatchObject({ status: 200 });
    await expectStates({ here: third, there }, "ACTIVE", "ACTIVE");
    expect(await there.read("west")).toMatchObject({ PeerServerAddresses: [third.address] });
  });
});
