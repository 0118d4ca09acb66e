import { defineScenario, refused, step } from "../../scenario.mts";

const request = "POST peering/token";

/** What an acceptor is asked for, and how it refuses (reference B.4, B.5). */
export const clusterToken = defineScenario({
  topic: "token",
  service: "cluster",
  names: ["peer"],
  steps: [
    // @covers peering: Endpoints > POST peering/token
    { title: "a token", request, body: { PeerName: "{peer}", Meta: { team: "core", Area: "b" } }, outcome: "ok" },
    step("the acceptor waits", "GET peering/{peer}", "ok"),
    // @covers peering: Peering connection > Meta
    {
      title: "a second token, whose Meta is ignored",
      request,
      body: { PeerName: "{peer}", Meta: { team: "x" } },
      outcome: "ok",
    },
    // @covers peering: Peering connection > Meta
    // @covers peering: Fields of the stored record > ID
    step("the acceptor is the same", "GET peering/{peer}", "ok"),
    // @covers peering: Peering connection > ServerExternalAddresses
    {
      title: "a token with addresses of its own",
      request,
      body: { PeerName: "{peer}", ServerExternalAddresses: ["192.0.2.7:8503"] },
      outcome: "ok",
    },
    // @covers peering: Peering connection > Partition
    { title: "the default partition", request, body: { PeerName: "{peer}", Partition: "default" }, outcome: "ok" },
    // @covers peering: Endpoints > POST peering/token
    {
      title: "no name",
      request,
      body: {},
      outcome: refused(/^400 PeerName is required in the payload when generating a new peering token/),
    },
    { title: "no name but null", request, body: { PeerName: null }, outcome: refused(/^400 PeerName is required/) },
    // @covers peering: Peering connection > PeerName
    {
      title: "a name in upper case",
      request,
      body: { PeerName: "East" },
      outcome: refused(/^500 East is not a valid peer name: a valid peering name must consist of lower case/),
    },
    // @covers peering: Peering connection > PeerName
    {
      title: "a name of 64 letters",
      request,
      body: { PeerName: "a".repeat(64) },
      outcome: refused(/^500 a{64} is not a valid/),
    },
    // @covers peering: Peering connection > Partition
    {
      title: "a partition on the community edition",
      request,
      body: { PeerName: "{peer}", Partition: "team" },
      outcome: refused(/^500 Partitions are a Consul Enterprise feature .*Leave out `partition`/),
    },
    step(
      "a partition in the query",
      `${request}?partition=team`,
      refused(/^400 Invalid query parameter: "partition" .*Leave out `partition`/),
      { body: { PeerName: "{peer}" } },
    ),
    {
      title: "a partition in a header",
      request,
      headers: { "x-consul-partition": "team" },
      body: { PeerName: "{peer}" },
      outcome: refused(/^400 Invalid header: "X-Consul-Partition" .*Leave out `partition`/),
    },
    // @covers peering: Authentication, errors, limits, versions > status codes and bodies
    {
      title: "a reserved Meta key",
      request,
      body: { PeerName: "{peer}", Meta: { "consul-a": "b" } },
      outcome: refused(/^500 meta tags failed validation: .*Key prefix 'consul-' is reserved/),
    },
    {
      title: "a Meta key with a blank",
      request,
      body: { PeerName: "{peer}", Meta: { "a b": "c" } },
      outcome: refused(/^500 meta tags failed validation: .*Key contains invalid characters/),
    },
    {
      title: "a long Meta value",
      request,
      body: { PeerName: "{peer}", Meta: { a: "v".repeat(513) } },
      outcome: refused(/^500 meta tags failed validation: /),
    },
    // @covers peering: Peering connection > Meta
    {
      title: "65 pairs of Meta",
      request,
      body: { PeerName: "{peer}", Meta: Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`k${at}`, ""])) },
      outcome: refused(/^500 .*Node metadata cannot contain more than 64 key\/value pairs/),
    },
    { title: "an empty body", request, body: "", outcome: refused(/^400 Body decoding failed: EOF/) },
    // @covers peering: Endpoints > JSON both ways
    { title: "half a body", request, body: "{", outcome: refused(/^400 Body decoding failed: unexpected EOF/) },
    {
      title: "a body that is no JSON",
      request,
      body: "PeerName=a",
      outcome: refused(/^400 Body decoding failed: invalid character 'P' looking for beginning of value/),
    },
    {
      title: "a list as the body",
      request,
      body: "[]",
      outcome: refused(/^400 .*cannot unmarshal array into Go value/),
    },
    // @covers peering: Endpoints > JSON both ways
    {
      title: "an unknown member",
      request,
      body: { PeerName: "{peer}", Datacenter: "dc2" },
      outcome: refused(/^400 Body decoding failed: json: unknown field "Datacenter"/),
    },
    {
      title: "a number as the name",
      request,
      body: { PeerName: 1 },
      outcome: refused(/^400 .*cannot unmarshal number into Go struct field/),
    },
    {
      title: "a text as the addresses",
      request,
      body: { PeerName: "{peer}", ServerExternalAddresses: "a:1" },
      outcome: refused(/^400 .*cannot unmarshal string into Go struct field/),
    },
    { title: "a member in another case", request, body: { peername: "{peer}" }, outcome: "ok" },
    step("another verb", "PUT peering/token", refused(/^405 method PUT not allowed/), { body: {} }),
    step("a peer of that name is out of reach", "GET peering/token", refused(/^405 method GET not allowed/)),
    step("the end of the acceptor", "DELETE peering/{peer}", "ok"),
    step("the acceptor is gone", "GET peering/{peer}", "absent", { until: /not found/ }),
  ],
});
