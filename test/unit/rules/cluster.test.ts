import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import { clusterPeering } from "../../../provider/resources/cluster/peering";
import { peeringTokenText } from "../../support/valid-inputs";
import { expectRefusals, type Refusal } from "./expect-refusals";

const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));
const label = /a DNS label/;

/** Rules of one side; `name` and `meta` are its properties. */
function side(name: string, meta: string) {
  return {
    accepted: [
      { [name]: "a" },
      { [name]: "0-9" },
      { [name]: "a".repeat(63) },
      { [name]: "tokens" },
      { [meta]: pairs(64) },
      { [meta]: { Env_1: "", ["k".repeat(128)]: "v".repeat(512), "Consul-x": "line\nbreak" } },
      { [meta]: { k: "ü".repeat(256) } },
    ],
    refused: [
      [{ [name]: null }, name, "is required"],
      [{ [name]: "" }, name, "is required and must not be empty"],
      [{ [name]: "East" }, name, label],
      [{ [name]: "-a" }, name, label],
      [{ [name]: "a-" }, name, label],
      [{ [name]: "a.b" }, name, label],
      [{ [name]: "a_b" }, name, label],
      [{ [name]: "a".repeat(64) }, name, label],
      [{ [name]: "token" }, name, /is reserved/],
      [{ [name]: "establish" }, name, /is reserved/],
      [{ [meta]: pairs(65) }, meta, "must have at most 64 pairs"],
      [{ [meta]: { "": "v" } }, `${meta}[""]`, "has an empty name"],
      [{ [meta]: { "a b": "v" } }, `${meta}["a b"]`, /characters other than letters/],
      [{ [meta]: { ["k".repeat(129)]: "v" } }, `${meta}["${"k".repeat(129)}"]`, /longer than 128 bytes/],
      [{ [meta]: { "consul-x": "v" } }, `${meta}["consul-x"]`, /begins with `consul-`/],
      [{ [meta]: { k: "v".repeat(513) } }, `${meta}["k"]`, "must be at most 512 bytes long"],
      [{ [meta]: { k: "ü".repeat(257) } }, `${meta}["k"]`, "must be at most 512 bytes long"],
      [{ [meta]: { k: 1 } }, `${meta}.k`, "must be a string"],
      [{ [meta]: ["k"] }, meta, "must be a map of strings"],
    ] satisfies Refusal[],
  };
}

const ADDRESSES = {
  accepted: ["192.0.2.7:8503", "[2001:db8::1]:8503", "lb.example.com:443", ":80", "a:1", "a:65535"],
  refused: ["192.0.2.7", "2001:db8::1", "2001:db8::1:80", "a:0", "a:65536", "a:http", "a b:1", ""],
};

// @covers peering: Peering connection > ServerExternalAddresses
describe("a cluster.PeeringToken", () => {
  const { accepted, refused } = side("peerName", "meta");
  const at = "serverExternalAddresses";
  expectRefusals("clusterPeeringToken", 0, {
    accepted: [...accepted, { [at]: ADDRESSES.accepted }, { partition: "team-a" }, { generation: 0 }],
    refused: [
      ...refused,
      ...ADDRESSES.refused.map((address): Refusal => [{ [at]: ["a:1", address] }, `${at}[1]`, /must be host:port/]),
      [{ generation: -1 }, "generation", "must not be negative"],
      [{ partition: "a/b" }, "partition", /must be a name/],
    ],
  });
});

describe("a cluster.Peering", () => {
  const at = "peeringToken";
  const token = (content: Record<string, unknown>) => ({ peeringToken: peeringTokenText(content) });
  const packed = (text: string) => ({ peeringToken: Buffer.from(text).toString("base64") });
  const { accepted, refused } = side("peerName", "meta");
  expectRefusals("clusterPeering", 0, {
    accepted: [
      ...accepted,
      token({ ManualServerAddresses: ["lb.example.com:443"], ServerAddresses: null }),
      token({ CA: null, ServerName: "" }),
      token({ EstablishmentSecret: "", Further: 1 }),
      { peeringToken: peeringTokenText().replace(/.{76}/g, "$&\n") },
    ],
    refused: [
      ...refused,
      [{ peeringToken: null }, at, "is required"],
      [{ peeringToken: "" }, at, "is required and must not be empty"],
      [{ peeringToken: "not base64" }, at, /is not a peering token/],
      [{ peeringToken: "+++/+++" }, at, /is not a peering token/],
      // Go's decoder wants the padding.
      [{ peeringToken: "e30" }, at, /is not a peering token/],
      [{ peeringToken: "Cg==" }, at, /is not a peering token/],
      [packed("abc"), at, /is not a peering token/],
      [packed("[]"), at, /is not a peering token/],
      [packed("null"), at, /is not a peering token/],
      [packed("{}"), at, /holds no server addresses/],
      [token({ CA: ["abc"] }), at, /a CA in it is not a PEM certificate/],
      [token({ ServerAddresses: [] }), at, /holds no server addresses/],
      ...["1.2.3.4", "2001:db8::1", "a:0", "a:65536", "a:http"].flatMap((address): Refusal[] => [
        [token({ ServerAddresses: [address] }), at, /not host:port/],
        [token({ ManualServerAddresses: [address] }), at, /not host:port/],
      ]),
      [token({ ServerName: "" }), at, /holds no server name/],
      [token({ PeerID: "" }), at, /holds no peer id/],
    ],
  });

  it("does not show its token when it is refused", () => {
    const secret = randomUUID();
    const whole = peeringTokenText({ EstablishmentSecret: secret, PeerID: "" });
    for (const peeringToken of [whole, whole.slice(1), secret, [whole]]) {
      const { failures } = check(clusterPeering, { peerName: "a", peeringToken });
      expect(failures).toHaveLength(1);
      for (const hidden of [secret, whole.slice(1, 40)]) expect(JSON.stringify(failures)).not.toContain(hidden);
    }
  });
});

describe("a cluster.PeeredClusters", () => {
  const [acceptor, dialer] = [side("acceptorPeerName", "acceptorMeta"), side("dialerPeerName", "dialerMeta")];
  expectRefusals("clusterPeeredClusters", 0, {
    accepted: [...acceptor.accepted, ...dialer.accepted, { dialerConnection: null, dialerPartition: "a" }],
    refused: [
      ...acceptor.refused,
      ...dialer.refused,
      [{ dialerConnection: null }, "dialerConnection", /a cluster cannot peer with itself/],
      [{ acceptorConnection: "east" }, "dialerConnection", /a cluster cannot peer with itself/],
      [
        { dialerConnection: null, acceptorPartition: "a", dialerPartition: "a" },
        "dialerConnection",
        /a cluster cannot peer with itself/,
      ],
      [
        { dialerConnection: null, acceptorPartition: "default" },
        "dialerConnection",
        /a cluster cannot peer with itself/,
      ],
      [{ serverExternalAddresses: ["a"] }, "serverExternalAddresses[0]", /must be host:port/],
    ],
  });
});

// @covers peering: Authentication, errors, limits, versions > partition of the token
describe("the default partition", () => {
  it.each(["default", "Default", ""])(
    "%j is left out, as the community edition refuses to be asked for it",
    (partition) => {
      const { inputs, failures } = check(clusterPeering, {
        peerName: "a",
        peeringToken: peeringTokenText(),
        partition,
      });
      expect(failures).toEqual([]);
      expect(inputs).not.toHaveProperty("partition");
    },
  );
});
