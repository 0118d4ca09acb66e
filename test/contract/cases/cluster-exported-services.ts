import { changed, defineCase } from "../../support/contract-case.ts";

const path = "config/exported-services/default";

export const clusterExportedServicesCase = defineCase("clusterExportedServices", {
  async prepare(world) {
    const raw = world.raw("cluster");
    // There is one record, and the tests of a file use one cluster.
    const remove = async () => void (await raw.call(`DELETE ${path}`));
    await remove();
    return {
      minimal: { services: [] },
      full: {
        services: [
          { name: "web", consumers: [{ peer: "west" }, { peer: "east" }] },
          { name: "api", consumers: [{ peer: "west" }] },
        ],
        meta: { team: "platform" },
      },
      id: "default",
      record: () => path,
      remove,
      async edit() {
        const Services = [{ Name: "db", Consumers: [{ Peer: "west" }] }];
        await raw.call("PUT config", { Kind: "exported-services", Name: "default", Services });
        return { services: [{ name: "db", consumers: [{ peer: "west" }] }] };
      },
    };
  },
  fields: {
    partition: { means: "nothing", reason: "only Enterprise has partitions; see cluster-place.test.ts" },
    // @covers beyond: cluster.ExportedServices > Services
    services: changed({ services: [{ name: "*", consumers: [{ peer: "north" }] }] }, { without: "required" }),
    // @covers beyond: cluster.ExportedServices > Meta
    meta: changed({ meta: { team: "security" } }),
  },
  spellings: [
    {
      title: "the order of services and consumers",
      one: {
        services: [
          { name: "a", consumers: [{ peer: "x" }, { peer: "y" }] },
          { name: "b", consumers: [{ peer: "x" }] },
        ],
      },
      other: {
        services: [
          { name: "b", consumers: [{ peer: "x" }] },
          { name: "a", consumers: [{ peer: "y" }, { peer: "x" }] },
        ],
      },
    },
    {
      title: "empty and unset members",
      one: { services: [{ name: "a", namespace: "", consumers: [{ peer: "x", partition: "", samenessGroup: "" }] }] },
      other: { services: [{ name: "a", consumers: [{ peer: "x" }] }] },
    },
    {
      title: "the default and an unset namespace",
      one: { services: [{ name: "a", namespace: "default", consumers: [{ peer: "x" }] }] },
      other: { services: [{ name: "a", consumers: [{ peer: "x" }] }] },
    },
    { title: "an empty and an unset map", one: { meta: {} }, other: { meta: undefined } },
    { title: "the default and an unset partition", one: { partition: "default" }, other: { partition: undefined } },
  ],
  volatile: ["CreateIndex", "ModifyIndex"],
  requests: {
    create: [`GET ${path}`, "PUT config", `GET ${path}`],
    update: [`GET ${path}`, "PUT config", `GET ${path}`],
    read: [`GET ${path}`],
    delete: [`GET ${path}`, `DELETE ${path}`, `GET ${path}`],
  },
});
