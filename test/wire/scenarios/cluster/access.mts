import { defineScenario, refused, step } from "../../scenario.mts";

const UNKNOWN = refused(/^403 ACL not found .*The token is unknown or deleted/);
const ANONYMOUS = /^403 Permission denied: anonymous token lacks permission 'peering:/;
const NO_READ = refused(/^403 Permission denied: .*lacks permission 'peering:read'.* policy needs: peering = "read"/);
const NO_WRITE = refused(
  /^403 Permission denied: .*lacks permission 'peering:write'.* policy needs: peering = "write"/,
);

/** Who may do what (reference B.3). Refused reads take a real server up to 14 s. */
export const clusterAccess = defineScenario({
  topic: "access",
  service: "cluster",
  names: ["reads", "nothing", "operates"],
  before: [
    ...tokenWith("reads", 'peering = "read"'),
    ...tokenWith("nothing", 'agent_prefix "" { policy = "read" }'),
    ...tokenWith("operates", 'operator = "write"'),
  ],
  steps: [
    step("a list that may be read", "GET peerings", "ok", { as: "readsSecret" }),
    step("a read that finds nothing", "GET peering/wire-c", "absent", { as: "readsSecret" }),
    // @covers peering: Endpoints > POST peering/token
    step("a token without the right", "POST peering/token", NO_WRITE, {
      as: "readsSecret",
      body: { PeerName: "wire-c" },
    }),
    // @covers peering: Endpoints > DELETE peering/{peerName}
    step("a delete without the right", "DELETE peering/wire-c", NO_WRITE, { as: "readsSecret" }),
    step("a token by anybody", "POST peering/token", refused(ANONYMOUS), {
      as: "nobody",
      body: { PeerName: "wire-c" },
    }),
    step("a token by a stranger", "POST peering/token", UNKNOWN, { as: "stranger", body: { PeerName: "wire-c" } }),
    { title: "an establishment by a stranger", ...establishing("stranger"), outcome: UNKNOWN },
    // @covers peering: Endpoints > POST peering/establish
    { title: "an establishment by anybody", ...establishing("nobody"), outcome: NO_WRITE },
    step("a delete by a stranger", "DELETE peering/wire-c", UNKNOWN, { as: "stranger" }),
    step("a list by a stranger", "GET peerings", UNKNOWN, { as: "stranger" }),
    // @covers peering: Authentication, errors, limits, versions > filtered lists
    step("a list by anybody", "GET peerings", NO_READ, { as: "nobody" }),
    // @covers peering: Endpoints > GET peering/{peerName}
    step("a read without the right", "GET peering/wire-c", NO_READ, { as: "nothingSecret" }),
    // @covers peering: Authentication, errors, limits, versions > permission of each endpoint
    step("an invalid name comes before the right", "POST peering/token", refused(/^500 No is not a valid peer name/), {
      as: "nobody",
      body: { PeerName: "No" },
    }),
    // @covers peering: Authentication, errors, limits, versions > permission of each endpoint
    step("the operator's right is enough", "GET peerings", "ok", { as: "operatesSecret" }),
    // @covers peering: Authentication, errors, limits, versions > how the token travels
    step(
      "a token in the query comes before the header's",
      "POST peering/token?token=11111111-2222-3333-4444-555555555555",
      UNKNOWN,
      { body: { PeerName: "wire-c" } },
    ),
  ],
});

/** A policy with these rules and a token of it, kept as `<name>Secret`. */
function tokenWith(name: string, Rules: string) {
  return [
    { request: "PUT acl/policy", body: { Name: `{${name}}`, Rules } },
    {
      request: "PUT acl/token",
      body: { Policies: [{ Name: `{${name}}` }] },
      keep: { [`${name}Secret`]: "/SecretID" },
    },
  ];
}

/** The token is well-formed, as the right is looked at only after it. */
function establishing(as: string) {
  const content = {
    ServerAddresses: ["127.0.0.1:1"],
    ServerName: "server.dc9.peering.11111111-2222-3333-4444-555555555555.consul",
    PeerID: "11111111-2222-3333-4444-666666666666",
  };
  const PeeringToken = Buffer.from(JSON.stringify(content)).toString("base64");
  return { request: "POST peering/establish", as, body: { PeerName: "wire-c", PeeringToken } };
}
