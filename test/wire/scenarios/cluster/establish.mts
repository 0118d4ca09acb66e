import { defineScenario, refused, step } from "../../scenario.mts";

const request = "POST peering/establish";
const packed = (content: unknown) =>
  Buffer.from(typeof content === "string" ? content : JSON.stringify(content)).toString("base64");

/** A token of nobody, with an address where nobody listens; it is taken as it is, and dialled. */
const UNREACHABLE = packed({
  ServerAddresses: ["127.0.0.1:1"],
  ServerName: "server.dc9.peering.11111111-2222-3333-4444-555555555555.consul",
  PeerID: "11111111-2222-3333-4444-666666666666",
  EstablishmentSecret: "11111111-2222-3333-4444-777777777777",
});

/** How a dialer refuses what it is given before it dials (reference B.6). */
export const clusterEstablish = defineScenario({
  topic: "establish",
  service: "cluster",
  names: ["peer", "taken"],
  before: [
    { request: "POST peering/token", body: { PeerName: "{taken}" }, keep: { ownToken: "/PeeringToken" } },
    {
      request: "POST peering/token",
      on: "other",
      body: { PeerName: "{taken}" },
      keep: { foreignToken: "/PeeringToken" },
    },
  ],
  steps: [
    {
      title: "no name",
      request,
      body: {},
      outcome: refused(/^400 PeerName is required in the payload when establishing/),
    },
    // @covers peering: Endpoints > POST peering/establish
    {
      title: "no token",
      request,
      body: { PeerName: "{peer}" },
      outcome: refused(/^400 PeeringToken is required in the payload when establishing a peering/),
    },
    { title: "an empty body", request, body: "", outcome: refused(/^400 Body decoding failed: EOF/) },
    {
      title: "an unknown member",
      request,
      body: { Peer: "{peer}" },
      outcome: refused(/^400 Body decoding failed: json: unknown field "Peer"/),
    },
    // @covers peering: Peering connection > PeerName
    {
      title: "a name with a dot",
      request,
      body: { PeerName: "a.b", PeeringToken: "{foreignToken}" },
      outcome: refused(/^500 a\.b is not a valid peer name/),
    },
    ...badTokens(),
    {
      title: "a token of its own",
      request,
      body: { PeerName: "{peer}", PeeringToken: "{ownToken}" },
      outcome: refused(/^500 cannot create a peering within the same cluster/),
    },
    {
      title: "a name that is an acceptor's",
      request,
      body: { PeerName: "{taken}", PeeringToken: "{foreignToken}" },
      outcome: refused(/^500 .*existing peering expecting to be dialed .*in use for a peering in the other direction/),
    },
    {
      title: "a reserved Meta key",
      request,
      body: { PeerName: "{peer}", PeeringToken: "{foreignToken}", Meta: { "consul-a": "b" } },
      outcome: refused(/^500 meta tags failed validation: /),
    },
    step(
      "a partition in the query",
      `${request}?partition=team`,
      refused(/^400 Invalid query parameter: "partition" .*Leave out `partition`/),
      { body: { PeerName: "{peer}", PeeringToken: "{foreignToken}" } },
    ),
    step("none of it left a record", "GET peering/{peer}", "absent"),
    step("another verb", "GET peering/establish", refused(/^405 method GET not allowed/)),
    // @covers peering: Endpoints > POST peering/establish
    {
      title: "a cluster that nobody reaches",
      request,
      body: { PeerName: "{peer}", PeeringToken: UNREACHABLE },
      outcome: refused(/^503 .*The other cluster cannot be reached at the addresses in the token/),
    },
    step("that one left a dialer that waits", "GET peering/{peer}", "ok"),
    step(
      "a token for the name of a dialer",
      "POST peering/token",
      refused(/^500 .*already an established peering .*in use for a peering in the other direction/),
      { body: { PeerName: "{peer}" } },
    ),
    step("the end of the dialer", "DELETE peering/{peer}", "ok"),
    step("the dialer is gone", "GET peering/{peer}", "absent", { until: /not found/ }),
    step("the end of the acceptor", "DELETE peering/{taken}", "ok"),
    step("the acceptor is gone", "GET peering/{taken}", "absent", { until: /not found/ }),
    step("the end of the other acceptor", "DELETE peering/{taken}", "ok", { on: "other" }),
  ],
});

/** Tokens that say what they must not, by the words that refuse them. */
function badTokens() {
  const addresses = { ServerAddresses: ["192.0.2.7:8503"] };
  const table: readonly (readonly [title: string, token: string, says: RegExp])[] = [
    ["a token that is no base64", "not base64", /failed to decode token: illegal base64 data at input byte 3/],
    ["a token without its padding", "e30", /failed to decode token: illegal base64 data at input byte 0/],
    ["a token with nothing in it", packed("\n"), /unexpected end of JSON input/],
    ["a token that is no JSON", packed("abc"), /invalid character 'a' looking for beginning of value/],
    ["a token that is a list", packed([]), /json: cannot unmarshal array into Go value of type structs\.PeeringToken/],
    ["a token without addresses", packed({}), /peering token server addresses value is empty/],
    [
      "a token with a damaged CA",
      packed({ CA: ["x"], ...addresses }),
      /peering token invalid CA: no PEM-encoded data found/,
    ],
    [
      "a token with an address without a port",
      packed({ ServerAddresses: ["192.0.2.7"] }),
      /192\.0\.2\.7 is not a valid peering/,
    ],
    [
      "a token with the port 0",
      packed({ ManualServerAddresses: ["a:0"], ...addresses }),
      /a:0 is not a valid peering server/,
    ],
    ["a token without a peer id", packed(addresses), /peering token peer ID value is empty/],
  ];
  return table.map(([title, PeeringToken, says]) => ({
    title,
    request,
    body: { PeerName: "{peer}", PeeringToken },
    outcome: refused(new RegExp(`^500 ${says.source}`)),
  }));
}
