import { changed, defineCase, pathOf, replaced } from "../../support/contract-case.ts";
import { cloudMount, remount } from "./mounts.ts";

export const cloudLeaseConfigCase = defineCase("cloudLeaseConfig", {
  async prepare(world) {
    const mount = await cloudMount(world);
    const path = `${mount}/config/lease`;
    return {
      minimal: { mount, lease: "1h", leaseMax: "24h" },
      full: { mount, lease: "90m", leaseMax: "2d" },
      id: path,
      record: pathOf("{mount}/config/lease"),
      remove: () => remount(world, `sys/mounts/${mount}`),
      async edit() {
        await world.raw("secrets").call(`POST ${path}`, { lease: "5m", lease_max: "10m" });
        return { lease: "5m", leaseMax: "10m" };
      },
    };
  },
  fields: {
    mount: replaced(async (world) => ({ mount: await cloudMount(world) })),
    lease: changed({ lease: "30m" }, { without: "required" }),
    leaseMax: changed({ leaseMax: 86400 }, { without: "required" }),
  },
  spellings: [
    { title: "seconds and durations", one: { lease: 3600 }, other: { lease: "1h0m0s" } },
    { title: "digits in a text and a number", one: { lease: "3600" }, other: { lease: 3600 } },
    { title: "days and hours", one: { leaseMax: "1d" }, other: { leaseMax: "24h" } },
    { title: "minutes and seconds", one: { lease: "90s" }, other: { lease: "1m30s" } },
  ],
  skips: [
    {
      case: "delete removes the record",
      reason: "the API cannot delete a lease configuration: it is forgotten",
      fails: /to be undefined/,
    },
  ],
  requests: {
    create: ["GET {mount}/config/lease", "POST {mount}/config/lease", "GET {mount}/config/lease"],
    update: ["GET {mount}/config/lease", "POST {mount}/config/lease", "GET {mount}/config/lease"],
    read: ["GET {mount}/config/lease"],
    delete: [],
  },
});
