import { defineScenario, refused } from "../../scenario.mts";

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
  servers: ["consul"],
  names: ["reads", "nothing", "operates"],
  before: [
    ...tokenWith("reads", 'peering = "read"'),
    ...tokenWith("nothing", 'agent_prefix "" { policy = "read" }'),
    ...tokenWith("operates", 'operator = "write"'),
  ],
  steps: [
    { title: "a list that may be read", request: "GET peerings", as: "readsSecret", outcome: "ok" },
    { title: "a read that finds nothing", request: "GET peering/wire-c", as: "readsSecret", outcome: "absent" },
    // @covers peering: Endpoints > POST peering/token
    {
      title: "a token without the right",
      request: "POST peering/token",
      as: "readsSecret",
      body: { PeerName: "wire-c" },
      outcome: NO_WRITE,
    },
    // @covers peering: Endpoints > DELETE peering/{peerName}
    {
      title: "a delete without the right",
      request: "DELETE peering/wire-c",
      as: "readsSecret",
      outcome: NO_WRITE,
    },
    {
      title: "a token by anybody",
      request: "POST peering/token",
      as: "nobody",
      body: { PeerName: "wire-c" },
      outcome: refused(ANONYMOUS),
    },
    {
      title: "a token by a stranger",
      request: "POST peering/token",
      as: "stranger",
      body: { PeerName: "wire-c" },
      outcome: UNKNOWN,
    },
    { title: "an establishment by a stranger", ...establishing("stranger"), outcome: UNKNOWN },
    // @covers peering: Endpoints > POST peering/establish
    { title: "an establishment by anybody", ...establishing("nobody"), outcome: NO_WRITE },
    { title: "a delete by a stranger", request: "DELETE peering/wire-c", as: "stranger", outcome: UNKNOWN },
    { title: "a list by a stranger", request: "GET peerings", as: "stranger", outcome: UNKNOWN },
    // @covers peering: Authentication, errors, limits, versions > filtered lists
    { title: "a list by anybody", request: "GET peerings", as: "nobody", outcome: NO_READ },
    // @covers peering: Endpoints > GET peering/{peerName}
    { title: "a read without the right", request: "GET peering/wire-c", as: "nothingSecret", outcome: NO_READ },
    // @covers peering: Authentication, errors, limits, versions > permission of each endpoint
    {
      title: "an invalid name comes before the right",
      request: "POST peering/token",
      as: "nobody",
      body: { PeerName: "No" },
      outcome: refused(/^500 No is not a valid peer name/),
    },
    // @covers peering: Authentication, errors, limits, versions > permission of each endpoint
    { title: "the operator's right is enough", request: "GET peerings", as: "operatesSecret", outcome: "ok" },
    // @covers peering: Authentication, errors, limits, versions > how the token travels
    {
      title: "a token in the query comes before the header's",
      request: "POST peering/token?token=11111111-2222-3333-4444-555555555555",
      body: { PeerName: "wire-c" },
      outcome: UNKNOWN,
    },
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
