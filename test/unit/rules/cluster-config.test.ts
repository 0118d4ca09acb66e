import { describe } from "vitest";
import { expectRefusals, type Refusal } from "./expect-refusals";

const long = "v".repeat(513);

// @covers beyond: cluster.ExportedServices > Services
// @covers beyond: cluster.ExportedServices > Meta
describe("a cluster.ExportedServices", () => {
  const one = (service: object) => ({ services: [{ name: "web", consumers: [{ peer: "west" }], ...service }] });
  const consumer = (who: object) => one({ consumers: [{ peer: "east" }, who] });
  const at = "services[0]";
  expectRefusals("clusterExportedServices", 0, {
    accepted: [
      { services: [] },
      one({ name: "*" }),
      one({ name: "*", namespace: "*" }),
      one({ name: "web*" }),
      consumer({ partition: "team" }),
      consumer({ samenessGroup: "all" }),
      { meta: { "any key": "v".repeat(512) } },
    ],
    refused: [
      [{ services: null }, "services", "is required"],
      [{ services: {} }, "services", "must be a list of { name, consumers }"],
      [{ services: ["web"] }, at, "must be { name, consumers }"],
      [one({ name: "" }), `${at}.name`, "must not be empty"],
      [one({ name: 1 }), `${at}.name`, "must be a string"],
      [one({ consumers: [] }), `${at}.consumers`, "must name at least one consumer"],
      [one({ consumers: "west" }), `${at}.consumers`, "must be a list of { peer }"],
      [one({ consumers: ["west"] }), `${at}.consumers[0]`, "must be { peer }"],
      [one({ namespace: "*" }), `${at}.name`, "must be * where the namespace is *"],
      [consumer({ peer: "*" }), `${at}.consumers[1].peer`, /must name one peer/],
      [consumer({ partition: "*" }), `${at}.consumers[1].partition`, /must name one partition/],
      [consumer({ peer: "a", partition: "b" }), `${at}.consumers[1]`, "peer and partition cannot be set together"],
      [{ partition: "a/b" }, "partition", /must be a name/],
      [{ meta: { k: long } }, 'meta["k"]', "must be at most 512 bytes long"],
      [{ meta: { ["k".repeat(129)]: "" } }, `meta["${"k".repeat(129)}"]`, /longer than 128 bytes/],
    ] satisfies Refusal[],
    // Consul stores it.
    advised: [[consumer({}), `${at}.consumers[1]`, "names nobody: set peer"]],
  });
});

// @covers beyond: cluster.Intention > Sources
// @covers beyond: cluster.Intention > Meta
describe("a cluster.Intention", () => {
  const from = (...sources: object[]) => ({ sources });
  const api = { name: "api", action: "allow" };
  const http = (permission: object) => from({ name: "api", permissions: [{ action: "allow", http: permission }] });
  const header = (condition: object) => http({ header: [{ name: "x", ...condition }] });
  const at = "sources[0]";
  const inHttp = `${at}.permissions[0].http`;
  expectRefusals("clusterIntention", 0, {
    accepted: [
      { destination: "*" },
      { destination: "*", namespace: "*" },
      { destination: "Web.v1_a" },
      from({ ...api, name: "*" }, api),
      from(api, { ...api, peer: "west" }, { ...api, peer: "east" }),
      from({ ...api, description: "v".repeat(512) }),
      from(api, { ...api, namespace: "shop" }),
      http({ pathExact: "/" }),
      http({ pathRegex: "a" }),
      http({ methods: ["get", "TRACE"] }),
      header({ present: true }),
      header({ suffix: "a", ignoreCase: true, invert: true, present: false }),
      { jwt: { providers: [{ name: "issuer" }] } },
      { jwt: {} },
    ],
    refused: [
      [{ destination: null }, "destination", "is required"],
      [{ destination: "we*" }, "destination", "must be * alone, or without *"],
      [{ destination: "a/b" }, "destination", /without slashes/],
      [{ destination: ".." }, "destination", "must not be `.` or `..`"],
      [{ namespace: "*" }, "namespace", "* is only for the destination *"],
      [{ sources: null }, "sources", "is required"],
      [{ sources: [] }, "sources", "is required and must not be empty"],
      [from({ name: "api" }), `${at}.action`, /must be "allow" or "deny"/],
      [from({ ...api, action: "maybe" }), `${at}.action`, 'must be one of "allow", "deny"'],
      [from({ ...api, name: "" }), `${at}.name`, "must not be empty"],
      [from({ ...api, name: "a*" }), `${at}.name`, "must be * alone, or without *"],
      [from({ ...api, namespace: "a*" }), `${at}.namespace`, "must be * alone, or without *"],
      [from({ ...api, namespace: "*" }), `${at}.name`, "must be * where the namespace is *"],
      [from({ ...api, peer: "a*" }), `${at}.peer`, "must not have a *"],
      [from({ ...api, peer: "a", partition: "b" }), `${at}.peer`, "cannot be set together with partition"],
      [from({ ...api, peer: "a", samenessGroup: "b" }), `${at}.peer`, "cannot be set together with samenessGroup"],
      [from({ ...api, description: long }), `${at}.description`, "must be at most 512 bytes long"],
      [from(api, { ...api, action: "deny" }), "sources[1]", "names the same as sources[0]"],
      [from(api, { ...api, namespace: "default" }), "sources[1]", "names the same as sources[0]"],
      [from({ ...api, ...http({ pathExact: "/" }).sources[0], action: "deny" }), `${at}.action`, /with permissions/],
      [{ destination: "*", ...http({ pathExact: "/" }) }, `${at}.permissions`, /where the destination is a wildcard/],
      [http({}), inHttp, /must have one of pathExact/],
      [http({ pathExact: "/a", pathPrefix: "/b" }), inHttp, "pathExact and pathPrefix cannot be set together"],
      [http({ pathPrefix: "a" }), `${inHttp}.pathPrefix`, "must begin with /"],
      [http({ methods: ["FETCH"] }), `${inHttp}.methods[0]`, /must be one of GET/],
      [http({ methods: ["GET", "get"] }), `${inHttp}.methods[1]`, "is there already"],
      [header({}), `${inHttp}.header[0]`, /must have exactly one of present/],
      [header({ exact: "a", prefix: "b" }), `${inHttp}.header[0]`, /must have exactly one of present/],
      [header({ regex: "a", ignoreCase: true }), `${inHttp}.header[0].ignoreCase`, /with present and regex/],
      [{ jwt: { providers: [{ name: "" }] } }, "jwt.providers[0].name", "must not be empty"],
      [{ meta: { k: long } }, 'meta["k"]', "must be at most 512 bytes long"],
    ] satisfies Refusal[],
  });
});
