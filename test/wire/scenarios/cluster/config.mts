import { defineScenario, refused, step } from "../../scenario.mts";
import { exports, intentions, jwt, permitted, put, refusedPut } from "./config-steps.mts";

const exported = "config/exported-services/default";
const intention = "config/service-intentions/{web}";

/** Config entries: exported services and intentions, from the first write to the last. */
export const clusterConfig = defineScenario({
  topic: "config",
  service: "cluster",
  names: ["web", "issuer", "meshes", "calls", "nothing"],
  before: [
    { request: `DELETE ${exported}` },
    ...tokenWith("meshes", 'mesh = "read"'),
    ...tokenWith("calls", 'service "{web}" { policy = "read" intentions = "write" }'),
    ...tokenWith("nothing", 'agent_prefix "" { policy = "read" }'),
  ],
  steps: [
    // @covers beyond: Endpoints > GET config/exported-services/{partition}
    step("no exported services", `GET ${exported}`, "absent"),
    // @covers beyond: Endpoints > PUT config
    { title: "exported services", ...put(exports([{ Name: "web", Consumers: [{ Peer: "west" }, { Peer: "east" }] }])) },
    step("the exported services", `GET ${exported}`, "ok"),
    { title: "other exported services", ...put({ ...exports([]), Meta: { team: "platform" } }) },
    step("what is empty is not shown", `GET ${exported}`, "ok"),
    {
      title: "a namespace, which the community edition forgets",
      ...put(exports([{ Name: "web", Namespace: "shop", Consumers: [{ Peer: "west" }] }])),
    },
    step("the exported services without it", `GET ${exported}`, "ok"),
    step(
      "a partition in the path",
      `GET ${exported}?partition=team`,
      refused(/^400 Invalid query parameter: "partition" .*Leave out `partition`/),
    ),
    // @covers beyond: Endpoints > DELETE config/exported-services/{partition}
    step("the exported services are deleted", `DELETE ${exported}`, "ok"),
    step("and once more", `DELETE ${exported}`, "ok"),

    // @covers beyond: Endpoints > GET config/service-intentions/{destination}
    step("no intention", `GET ${intention}`, "absent"),
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
    step("the intention, its sources sorted", `GET ${intention}`, "ok"),
    // @covers beyond: Endpoints > GET config/service-intentions
    step("a list of intentions", "GET config/service-intentions", "ok"),
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
    step("the permissions, methods in upper case", `GET ${intention}`, "ok"),
    // @covers beyond: Config entries > permission of each kind
    {
      title: "exported services by a token that may read the mesh",
      as: "meshesSecret",
      ...refusedPut(exports([]), /^403 .*lacks permission 'mesh:write'.* policy needs: mesh = "write"/),
    },
    step("which may read them", `GET ${exported}`, "absent", { as: "meshesSecret" }),
    step(
      "but no intention",
      `GET ${intention}`,
      refused(
        /^403 .*'intention:read' on "[^"]+".* policy needs: service "[^"]+" \{ policy = "read" intentions = "read" \}/,
      ),
      { as: "meshesSecret" },
    ),
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
    step("a list that leaves out what the token may not see", "GET config/service-intentions", "ok", {
      as: "nothingSecret",
    }),
    step("a list by nobody, which does not say that it leaves out", "GET config/service-intentions", "ok", {
      as: "nobody",
    }),
    { title: "exported services by a stranger", as: "stranger", ...refusedPut(exports([]), /^403 ACL not found/) },
    step("a delete without the right", `DELETE ${intention}`, refused(/^403 .*'intention:write' on "[^"]+"/), {
      as: "meshesSecret",
    }),
    // @covers beyond: Endpoints > DELETE config/service-intentions/{destination}
    step("the intention is deleted", `DELETE ${intention}`, "ok", { as: "callsSecret" }),
    step("it is gone", `GET ${intention}`, "absent"),
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
