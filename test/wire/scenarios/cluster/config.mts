import { defineScenario, refused } from "../../scenario.mts";

const exported = "config/exported-services/default";
const intention = "config/service-intentions/{web}";

/** Config entries: exported services and intentions, from the first write to the last. */
export const clusterConfig = defineScenario({
  topic: "config",
  service: "cluster",
  servers: ["consul"],
  names: ["web", "issuer", "meshes", "calls", "nothing"],
  before: [
    { request: `DELETE ${exported}` },
    ...tokenWith("meshes", 'mesh = "read"'),
    ...tokenWith("calls", 'service "{web}" { policy = "read" intentions = "write" }'),
    ...tokenWith("nothing", 'agent_prefix "" { policy = "read" }'),
  ],
  steps: [
    // @covers beyond: Endpoints > GET config/exported-services/{partition}
    { title: "no exported services", request: `GET ${exported}`, outcome: "absent" },
    // @covers beyond: Endpoints > PUT config
    { title: "exported services", ...put(exports([{ Name: "web", Consumers: [{ Peer: "west" }, { Peer: "east" }] }])) },
    { title: "the exported services", request: `GET ${exported}`, outcome: "ok" },
    { title: "other exported services", ...put({ ...exports([]), Meta: { team: "platform" } }) },
    { title: "what is empty is not shown", request: `GET ${exported}`, outcome: "ok" },
    {
      title: "a namespace, which the community edition forgets",
      ...put(exports([{ Name: "web", Namespace: "shop", Consumers: [{ Peer: "west" }] }])),
    },
    { title: "the exported services without it", request: `GET ${exported}`, outcome: "ok" },
    {
      title: "a partition in the path",
      request: `GET ${exported}?partition=team`,
      outcome: refused(/^400 Invalid query parameter: "partition" .*Leave out `partition`/),
    },
    {
      title: "a partition in the body",
      ...refusedPut(
        { ...exports([]), Partition: "team" },
        /^400 .*invalid config key "Partition".*Leave out `partition`/,
      ),
    },
    {
      title: "a sameness group",
      ...refusedPut(
        exports([{ Name: "web", Consumers: [{ SamenessGroup: "all" }] }]),
        /^500 .*sameness-groups are an enterprise-only feature.*Leave out `samenessGroup`/,
      ),
    },
    {
      title: "a service without consumers",
      ...refusedPut(exports([{ Name: "web" }]), /^500 Services\[0\]: must have at least one consumer/),
    },
    {
      title: "a service without a name",
      ...refusedPut(exports([{ Consumers: [{ Peer: "west" }] }]), /^500 Services\[0\]: service name cannot be empty/),
    },
    {
      title: "all peers",
      ...refusedPut(exports([{ Name: "web", Consumers: [{ Peer: "*" }] }]), /exporting to all peers \(wildcard\)/),
    },
    {
      title: "two consumers in one",
      ...refusedPut(
        exports([{ Name: "web", Consumers: [{ Peer: "west", Partition: "team" }] }]),
        /must define at most one of Peer, Partition, or SamenessGroup/,
      ),
    },
    {
      title: "another name than the only one",
      ...refusedPut({ ...exports([]), Name: "other" }, /^500 exported-services Name must be "default"/),
    },
    // @covers beyond: Endpoints > DELETE config/exported-services/{partition}
    { title: "the exported services are deleted", request: `DELETE ${exported}`, outcome: "ok" },
    { title: "and once more", request: `DELETE ${exported}`, outcome: "ok" },

    // @covers beyond: Endpoints > GET config/service-intentions/{destination}
    { title: "no intention", request: `GET ${intention}`, outcome: "absent" },
    {
      title: "an intention",
      ...put(
        intentions([
          { Name: "*", Action: "deny", Description: "nobody else" },
          { Name: "api", Action: "allow", Peer: "west" },
          { Name: "api", Action: "allow" },
        ]),
      ),
    },
    { title: "the intention, its sources sorted", request: `GET ${intention}`, outcome: "ok" },
    // @covers beyond: Endpoints > GET config/service-intentions
    { title: "a list of intentions", request: "GET config/service-intentions", outcome: "ok" },
    {
      title: "permissions for a service that is not known to speak HTTP",
      ...refusedPut(
        intentions([permitted({ PathPrefix: "/" })]),
        /^500 .*incompatible with L7.*need a service that speaks/,
      ),
    },
    {
      title: "an issuer that is not there",
      ...refusedPut(
        { ...intentions([{ Name: "api", Action: "allow" }]), JWT: jwt() },
        /^500 .*JWT Provider does not exist.*first/,
      ),
    },
    { title: "a service that speaks HTTP", ...put({ Kind: "service-defaults", Name: "{web}", Protocol: "http" }) },
    {
      title: "an issuer",
      ...put({ Kind: "jwt-provider", Name: "{issuer}", JSONWebKeySet: { Local: { JWKS: "eyJrZXlzIjpbXX0=" } } }),
    },
    {
      title: "permissions",
      ...put({
        ...intentions([
          permitted(
            {
              PathPrefix: "/v1",
              Methods: ["get", "POST"],
              Header: [
                { Name: "x-team", Exact: "red", Invert: true, IgnoreCase: true },
                { Name: "x-any", Present: true },
              ],
            },
            jwt([{ Path: ["realm", "roles"], Value: "reader" }]),
          ),
        ]),
        JWT: jwt(),
        Meta: { team: "platform" },
      }),
    },
    { title: "the permissions, methods in upper case", request: `GET ${intention}`, outcome: "ok" },
    {
      title: "a namespace of the destination",
      ...refusedPut(
        { ...intentions([{ Name: "api", Action: "allow" }]), Namespace: "shop" },
        /^400 .*namespaces are a consul enterprise feature.*Leave out `namespace`/,
      ),
    },
    {
      title: "a namespace in the path",
      request: `GET ${intention}?ns=shop`,
      outcome: refused(/^400 Invalid query parameter: "ns" .*Leave out `namespace`/),
    },
    {
      // Of several keys in one record, which comes first is chance.
      title: "a source's namespace, and a key of nobody's",
      ...refusedPut(
        { ...intentions([{ Name: "api", Action: "allow", Namespace: "shop" }]), Other: 1 },
        /^400 .*2 errors occurred/,
      ),
    },
    {
      title: "a source's partition",
      ...refusedPut(intentions([{ Name: "api", Partition: "team" }]), /"Sources\[0\]\.Partition"/),
    },
    {
      title: "a source's sameness group",
      ...refusedPut(
        intentions([{ Name: "api", Action: "allow", SamenessGroup: "all" }]),
        /^500 .*Sameness groups are a Consul Enterprise feature.*Leave out `samenessGroup`/,
      ),
    },
    { title: "no sources", ...refusedPut(intentions([]), /^500 At least one source is required/) },
    {
      title: "no action",
      ...refusedPut(intentions([{ Name: "api" }]), /^500 Sources\[0\]\.Action must be set to 'allow' or 'deny'/),
    },
    {
      title: "a source twice",
      ...refusedPut(
        intentions([
          { Name: "api", Peer: "west", Action: "allow" },
          { Name: "api", Peer: "west", Action: "deny" },
        ]),
        /^500 Sources\[1\] defines peer\("west"\) "api" more than once/,
      ),
    },
    {
      title: "a part of a wildcard",
      ...refusedPut(intentions([{ Name: "ap*", Action: "allow" }]), /^500 Sources\[0\]\.Name: wildcard character/),
    },
    { title: "a permission without anything", ...refusedPut(intentions([permitted({})]), /HTTP should not be empty/) },
    {
      title: "two paths",
      ...refusedPut(intentions([permitted({ PathExact: "/a", PathPrefix: "/b" })]), /at most one of PathExact/),
    },
    {
      title: "a path without its slash",
      ...refusedPut(intentions([permitted({ PathExact: "a" })]), /PathExact doesn't start with '\/': "a"/),
    },
    {
      title: "a header with two conditions",
      ...refusedPut(
        intentions([permitted({ Header: [{ Name: "a", Exact: "b", Prefix: "c" }] })]),
        /should only contain one of Present, Exact/,
      ),
    },
    {
      title: "a method that is none",
      ...refusedPut(intentions([permitted({ Methods: ["FETCH"] })]), /Methods contains an invalid method "FETCH"/),
    },
    {
      title: "a value of the metadata that is too long",
      ...refusedPut(
        { ...intentions([{ Name: "api", Action: "allow" }]), Meta: { a: "v".repeat(513) } },
        /Meta value for key "a" exceeds maximum length 512/,
      ),
    },

    {
      title: "a kind of nobody's",
      ...refusedPut({ Kind: "other", Name: "a" }, /^400 .*invalid config entry kind: other/),
    },
    { title: "no kind", ...refusedPut({ Name: "a" }, /^400 .*Payload does not contain a kind\/Kind key/) },
    {
      title: "a list of a kind of nobody's",
      request: "GET config/other",
      outcome: refused(/^500 invalid config entry kind: other/),
    },
    {
      title: "a delete without a name",
      request: "DELETE config/service-intentions",
      outcome: refused(/^404 Must provide both a kind and name to delete/),
    },

    // @covers beyond: Config entries > permission of each kind
    {
      title: "exported services by a token that may read the mesh",
      as: "meshesSecret",
      ...refusedPut(exports([]), /^403 .*lacks permission 'mesh:write'.* policy needs: mesh = "write"/),
    },
    { title: "which may read them", as: "meshesSecret", request: `GET ${exported}`, outcome: "absent" },
    {
      title: "but no intention",
      as: "meshesSecret",
      request: `GET ${intention}`,
      outcome: refused(
        /^403 .*'intention:read' on "[^"]+".* policy needs: service "[^"]+" \{ policy = "read" intentions = "read" \}/,
      ),
    },
    {
      title: "an intention by a token of the destination",
      as: "callsSecret",
      ...put(intentions([{ Name: "api", Action: "deny" }])),
    },
    {
      title: "an intention of any destination by the same token",
      as: "callsSecret",
      ...refusedPut(
        { Kind: "service-intentions", Name: "*", Sources: [{ Name: "api", Action: "deny" }] },
        /^403 .*'intention:write' on "\*".* policy needs: service_prefix "" \{ policy = "read" intentions = "write" \}/,
      ),
    },
    {
      title: "a list that leaves out what the token may not see",
      as: "nothingSecret",
      request: "GET config/service-intentions",
      outcome: "ok",
    },
    {
      title: "a list by nobody, which does not say that it leaves out",
      as: "nobody",
      request: "GET config/service-intentions",
      outcome: "ok",
    },
    { title: "exported services by a stranger", as: "stranger", ...refusedPut(exports([]), /^403 ACL not found/) },
    {
      title: "a delete without the right",
      as: "meshesSecret",
      request: `DELETE ${intention}`,
      outcome: refused(/^403 .*'intention:write' on "[^"]+"/),
    },
    // @covers beyond: Endpoints > DELETE config/service-intentions/{destination}
    { title: "the intention is deleted", as: "callsSecret", request: `DELETE ${intention}`, outcome: "ok" },
    { title: "it is gone", request: `GET ${intention}`, outcome: "absent" },
  ],
});

function put(body: object) {
  return { request: "PUT config", body, outcome: "ok" as const };
}

function refusedPut(body: object, says: RegExp) {
  return { request: "PUT config", body, outcome: refused(says) };
}

function exports(Services: readonly object[]) {
  return { Kind: "exported-services", Name: "default", Services };
}

function intentions(Sources: readonly object[]) {
  return { Kind: "service-intentions", Name: "{web}", Sources };
}

function permitted(HTTP: object, JWT?: object) {
  return { Name: "api", Permissions: [{ Action: "allow", HTTP, ...(JWT ? { JWT } : {}) }] };
}

function jwt(VerifyClaims?: readonly object[]) {
  return { Providers: [{ Name: "{issuer}", ...(VerifyClaims ? { VerifyClaims } : {}) }] };
}

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
