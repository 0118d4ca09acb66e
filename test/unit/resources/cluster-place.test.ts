import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import type { Definition, Values } from "../../../provider/core/definition";
import { diff } from "../../../provider/core/diff";
import { bodyOf, stateOf } from "../../../provider/core/record";
import { fill, parse, requestPath } from "../../../provider/core/template";
import { tenantIn } from "../../../provider/core/tenant";
import { consul } from "../../../provider/dialects/consul";
import { clusterExportedServices } from "../../../provider/resources/cluster/exported-services";
import { clusterIntention } from "../../../provider/resources/cluster/intention";

/** What goes to a server for these arguments, by a connection with this partition of its own, and the id. */
function sent(definition: Definition, args: Values, own?: string) {
  const { inputs, failures } = check(definition, args);
  expect(failures).toEqual([]);
  const members = definition.create.layout?.(bodyOf(definition, inputs), {});
  const located = (path: string) => consul.located?.(path, tenantIn("consul", inputs) ?? own) ?? path;
  return {
    id: fill(definition.id, inputs),
    path: located(requestPath(definition.read.path, inputs)),
    body: consul.body(members, { method: "PUT", path: located(definition.create.path) }),
    inputs,
  };
}

describe("exported services", () => {
  const services = [{ name: "web", consumers: [{ peer: "west" }] }];

  // @covers beyond: cluster.ExportedServices > Partition
  it.each([
    [{}, "default", "v1/config/exported-services/default", "default"],
    [{ partition: "default" }, "default", "v1/config/exported-services/default", "default"],
    [{ partition: "East" }, "east", "v1/config/exported-services/east?partition=east", "east"],
  ])("of %j have the id %s, the path %s, and the name %s", (place, id, path, Name) => {
    const { body, ...found } = sent(clusterExportedServices, { ...place, services });
    expect(found).toMatchObject({ id, path });
    expect(body).toMatchObject({ Kind: "exported-services", Name });
    expect(body).not.toHaveProperty("Partition");
  });

  it("of the connection's own partition are those of that partition, and the id does not name it", () => {
    const { body, ...found } = sent(clusterExportedServices, { services }, "west");
    expect(found).toMatchObject({ id: "default", path: "v1/config/exported-services/west?partition=west" });
    expect(body).toMatchObject({ Kind: "exported-services", Name: "west" });
  });
});

describe("an intention", () => {
  const sources = [
    { name: "api", action: "allow" },
    { name: "db", namespace: "data", action: "allow" },
    { name: "api", peer: "west", action: "allow" },
  ];
  const web = { destination: "web", sources };

  // @covers beyond: cluster.Intention > Namespace
  // @covers beyond: cluster.Intention > Partition
  it.each([
    [{}, "web", "web"],
    [{ namespace: "default", partition: "Default" }, "web", "web"],
    [{ namespace: "Shop" }, "default/shop/web", "web?ns=shop"],
    [{ partition: "east" }, "east/default/web", "web?partition=east"],
    [{ partition: "east", namespace: "shop" }, "east/shop/web", "web?ns=shop&partition=east"],
  ])("of %j has the id %s, and the path of %s", (place, id, path) => {
    const found = sent(clusterIntention, { ...web, ...place });
    expect(found).toMatchObject({ id, path: `v1/config/service-intentions/${path}` });
    expect(fill(clusterIntention.id, parse(clusterIntention.id, id) ?? {})).toBe(id);
  });

  it("writes the place of the destination to sources of this cluster that have none", () => {
    const { inputs } = sent(clusterIntention, { ...web, namespace: "shop", partition: "east" });
    expect(inputs["sources"]).toEqual([
      { ...sources[0], namespace: "shop", partition: "east" },
      { ...sources[1], partition: "east" },
      sources[2],
    ]);
  });

  it("that Enterprise shows with every place and what it computes is as written", () => {
    const { inputs } = sent(clusterIntention, { ...web, namespace: "shop" });
    const computed = { Precedence: 9, Type: "consul", LegacyID: "1", LegacyCreateTime: "2026-01-01T00:00:00Z" };
    const place = { Partition: "default", Namespace: "shop" };
    const record = {
      ...place,
      Name: "web",
      Sources: [
        { Name: "api", Peer: "west", Action: "allow", Namespace: "default", ...computed },
        { Name: "db", Action: "allow", ...place, Namespace: "data", ...computed },
        { Name: "api", Action: "allow", ...place, ...computed },
      ],
      Hash: 1,
    };
    expect(diff(clusterIntention, stateOf(clusterIntention, record, inputs), inputs).changed).toEqual([]);
  });

  it("of the connection's own partition, which the server shows at each source, is as written", () => {
    const { inputs, path } = sent(clusterIntention, web, "West");
    expect(path).toBe("v1/config/service-intentions/web?partition=West");
    const place = { Partition: "west", Namespace: "default" };
    const Sources = [
      { Name: "api", Peer: "west", Action: "allow", Namespace: "default" },
      { Name: "db", Action: "allow", ...place, Namespace: "data" },
      { Name: "api", Action: "allow", ...place },
    ];
    const record = consul.tenancy?.seenFrom?.("West", { ...place, Name: "web", Sources }) as Values;
    expect(diff(clusterIntention, stateOf(clusterIntention, record, inputs), inputs).changed).toEqual([]);
    const elsewhere = consul.tenancy?.seenFrom?.("other", { ...place, Name: "web", Sources }) as Values;
    expect(diff(clusterIntention, stateOf(clusterIntention, elsewhere, inputs), inputs).changed).toEqual(["sources"]);
  });

  // @covers beyond: cluster.Intention > Name
  it("in another letter case is the same", () => {
    const { inputs } = sent(clusterIntention, web);
    expect(diff(clusterIntention, inputs, { ...inputs, destination: "WEB" }).changed).toEqual([]);
  });
});
