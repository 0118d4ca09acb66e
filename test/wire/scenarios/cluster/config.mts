import { defineScenario, refused } from "../../scenario.mts";
import { exports, intentions, jwt, permitted, put, refusedPut } from "./config-steps.mts";

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
