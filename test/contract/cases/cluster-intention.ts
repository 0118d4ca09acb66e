import { changed, defineCase, pathOf, replaced } from "../../support/contract-case.ts";
import type { World } from "../../support/contract-world.ts";

const path = "config/service-intentions/{destination}";
const claim = { path: ["realm", "roles"], value: "reader" };

export const clusterIntentionCase = defineCase("clusterIntention", {
  async prepare(world) {
    const raw = world.raw("cluster");
    const destination = await httpService(world);
    const issuer = await jwtIssuer(world);
    return {
      minimal: { destination, sources: [{ name: "api", action: "allow" }] },
      full: {
        destination,
        sources: [
          { name: "*", action: "deny", description: "nobody else" },
          { name: "api", peer: "west", action: "allow" },
          {
            name: "api",
            permissions: [
              {
                action: "deny",
                http: {
                  pathPrefix: "/admin",
                  methods: ["POST", "GET"],
                  header: [
                    { name: "x-team", exact: "Red", invert: true, ignoreCase: true },
                    { name: "x-any", present: true },
                  ],
                },
              },
              {
                action: "allow",
                http: { pathExact: "/health" },
                jwt: { providers: [{ name: issuer, verifyClaims: [claim] }] },
              },
              { action: "allow", http: { pathRegex: "/v[0-9]+/.*" } },
            ],
          },
        ],
        jwt: { providers: [{ name: issuer }] },
        meta: { team: "platform" },
      },
      id: destination,
      record: pathOf(path),
      remove: async () => void (await raw.call(`DELETE config/service-intentions/${destination}`)),
      async edit() {
        const Sources = [{ Name: "db", Action: "deny", Peer: "north" }];
        await raw.call("PUT config", { Kind: "service-intentions", Name: destination, Sources });
        return { sources: [{ name: "db", peer: "north", action: "deny" }] };
      },
    };
  },
  fields: {
    // @covers beyond: cluster.Intention > Name
    destination: replaced(async (world) => ({ destination: await httpService(world) }), { without: "required" }),
    namespace: { means: "nothing", reason: "only Enterprise has namespaces; see cluster-place.test.ts" },
    partition: { means: "nothing", reason: "only Enterprise has partitions; see cluster-place.test.ts" },
    // @covers beyond: cluster.Intention > Sources
    sources: changed({ sources: [{ name: "db", action: "deny" }] }, { without: "required" }),
    // @covers beyond: cluster.Intention > JWT
    jwt: changed(async (world) => ({
      jwt: { providers: [{ name: await jwtIssuer(world), verifyClaims: [claim] }] },
    })),
    // @covers beyond: cluster.Intention > Meta
    meta: changed({ meta: { team: "security" } }),
  },
  spellings: [
    {
      title: "the order of sources",
      one: {
        sources: [
          { name: "*", action: "deny" },
          { name: "a", action: "allow" },
        ],
      },
      other: {
        sources: [
          { name: "a", action: "allow" },
          { name: "*", action: "deny" },
        ],
      },
    },
    {
      title: "letter case and order of methods",
      one: l7({ methods: ["get", "Post"] }),
      other: l7({ methods: ["POST", "GET"] }),
    },
    {
      title: "the order of headers, and flags that are false",
      one: l7({ header: [header("a"), header("b")] }),
      other: l7({ header: [{ ...header("b"), invert: false }, header("a")] }),
    },
    {
      title: "empty and unset members",
      one: { sources: [{ name: "a", action: "allow", description: "", peer: "", permissions: [] }] },
      other: { sources: [{ name: "a", action: "allow" }] },
    },
    {
      title: "the default and an unset place",
      one: { namespace: "default", partition: "Default" },
      other: { namespace: undefined, partition: undefined },
    },
    { title: "an empty and an unset map", one: { meta: {} }, other: { meta: undefined } },
  ],
  volatile: ["Name", "Hash", "CreateIndex", "ModifyIndex"],
  requests: {
    create: [`GET ${path}`, "PUT config", `GET ${path}`],
    update: [`GET ${path}`, "PUT config", `GET ${path}`],
    read: [`GET ${path}`],
    delete: [`GET ${path}`, `DELETE ${path}`, `GET ${path}`],
  },
});

/** A service of which requests can be told apart. */
async function httpService(world: World): Promise<string> {
  const Name = world.fresh("web");
  await world.raw("cluster").call("PUT config", { Kind: "service-defaults", Name, Protocol: "http" });
  return Name;
}

/** An issuer of tokens that the cluster knows. */
async function jwtIssuer(world: World): Promise<string> {
  const Name = world.fresh("issuer");
  const JWKS = Buffer.from(JSON.stringify({ keys: [] })).toString("base64");
  await world.raw("cluster").call("PUT config", { Kind: "jwt-provider", Name, JSONWebKeySet: { Local: { JWKS } } });
  return Name;
}

function l7(http: object) {
  return { sources: [{ name: "a", permissions: [{ action: "allow", http }] }] };
}

function header(name: string) {
  return { name, present: true };
}
