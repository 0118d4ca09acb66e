import { expect } from "vitest";
import { isRecord } from "../../../provider/core/unknowns.ts";
import { definitionOf } from "../../support/contract-case.ts";
import type { Subject } from "../../support/contract-subject.ts";
import { recordOf, refusalOf, subjectOf, type Trap, trap } from "../../support/contract-trap.ts";
import { contentOf, issuedToken, removePeering } from "../cases/peers.ts";
import { peeringStateTraps } from "./peering-state-traps.ts";

/** Traps of cluster peering (reference cluster-and-policy B.12). */
export const clusterTraps: readonly Trap[] = [
  trap(1, "a token is kept in the state, and a refresh only looks whether its record is there", async () => {
    const { stack, ground, world } = await subjectOf("clusterPeeringToken");
    await stack.up(ground.full);
    const token = stack.entry()?.outputs["peeringToken"];
    expect(token).toMatch(/^[A-Za-z0-9+/]+=*$/);
    world.traffic.forget();
    await stack.refresh();
    expect(stack.entry()?.outputs["peeringToken"]).toBe(token);
    expect(world.traffic.seen().filter(({ method }) => method !== "GET")).toEqual([]);
  }),
  // @covers peering: Endpoints > POST peering/token
  trap(2, "no run without a change issues a token, as that would kill one that is in use", async () => {
    const subject = await subjectOf("clusterPeeringToken");
    const { stack, ground, world, restart } = subject;
    await stack.up(ground.full);
    const issued = await issuedOf(subject);
    await stack.refresh();
    expect(await stack.up(ground.full)).toBe("same");
    restart();
    // Also not the run that follows a failure, when nothing is to be changed.
    const { id, outputs, inputs } = stack.entry() ?? { id: "", outputs: {}, inputs: {} };
    await world.host("engine", "clusterPeeringToken").update(id, outputs, inputs);
    expect(await issuedOf(subject)).toBe(issued);
    expect(await stack.up({ ...ground.full, generation: 2 })).toBe("update");
    expect(await issuedOf(subject)).not.toBe(issued);
  }),
  // @covers peering: Peering connection > PeeringToken
  trap(
    3,
    "a dialer whose token is another cluster's is replaced, one with a fresh token of the same is not",
    async () => {
      const { stack, ground, world } = await subjectOf("clusterPeering");
      await stack.up(ground.full);
      const fresh = { ...ground.full, peeringToken: await issuedToken(world) };
      expect(await stack.preview(fresh)).toEqual({ step: "update", replaces: [] });
      const { openWorld } = await import("../../support/contract-world.ts");
      const third = await openWorld({ which: "second" });
      const other = { ...ground.full, peeringToken: await issuedToken(third) };
      expect(await stack.preview(other)).toEqual({ step: "replace", replaces: ["peeringToken"] });
    },
  ),
  // @covers peering: Peering connection > Meta
  trap(4, "a change of meta replaces on both sides", async () => {
    for (const resource of ["clusterPeeringToken", "clusterPeering"] as const) {
      const { stack, ground } = await subjectOf(resource);
      await stack.up(ground.full);
      const changed = { ...ground.full, meta: { team: "other" } };
      expect(await stack.preview(changed)).toEqual({ step: "replace", replaces: ["meta"] });
    }
  }),
  // @covers peering: What the service does > the name elsewhere
  trap(
    5,
    "a replacement under the same name deletes, waits until the name is free, and only then creates",
    async () => {
      const subject = await subjectOf("clusterPeeringToken");
      const { stack, ground, world } = subject;
      await stack.up(ground.full);
      world.traffic.forget();
      await stack.up({ ...ground.full, meta: { team: "other" } });
      const methods = world.traffic.seen().map(({ method, url }) => `${method} ${url.split("/")[2] ?? ""}`);
      // A look comes before each of the two.
      const deleted = methods.indexOf("DELETE peering");
      const [shown, made] = ["GET peerings", "POST peering"].map((one) => methods.indexOf(one, deleted));
      expect(deleted).toBeGreaterThan(0);
      expect(shown).toBeGreaterThan(deleted);
      expect(made).toBeGreaterThan(shown ?? 0);
      const record = await recordOf(subject);
      expect(record).toMatchObject({ Meta: { team: "other" } });
      expect(record).not.toHaveProperty("DeletedAt");
    },
  ),
  // @covers peering: Endpoints > POST peering/establish
  trap(6, "a record that a failed establish left behind is adopted by the next attempt", async () => {
    const { stack, ground, world, restart } = await subjectOf("clusterPeering");
    world.traffic.strikeAll(({ method }) => method === "POST", "a connection cut after the server has done it");
    await expect(stack.up(ground.full)).rejects.toThrow(/establish|stored/);
    expect(stack.entry()).toMatchObject({ unfinished: true });
    world.traffic.calm();
    restart();
    const args = { ...ground.full, peeringToken: await issuedToken(world) };
    expect(await stack.up(args)).toBe("update");
    expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
  }),
  trap(7, "what moves by itself is in no input", () => {
    const moving = ["State", "StreamStatus", "ModifyIndex", "Remote", "PeerServerAddresses", "PeerCAPems", "DeletedAt"];
    for (const resource of ["clusterPeeringToken", "clusterPeering", "clusterPeeredClusters"] as const) {
      const wires = Object.values(definitionOf(resource).fields).map(({ wire }) => wire);
      expect(wires.filter((wire) => moving.includes(wire))).toEqual([]);
      expect(wires.length).toBeGreaterThan(3);
    }
  }),
  // @covers peering: Peering connection > DeletedAt
  trap(8, "a record that is being deleted is gone, and one that the other side ended asks for a repair", async () => {
    const { stack, ground, world } = await subjectOf("clusterPeering");
    await stack.up(ground.full);
    const { broken } = definitionOf("clusterPeering");
    expect(broken?.({ ...stack.entry()?.outputs, terminated: true })).toEqual(["peeringToken"]);
    expect(broken?.({ ...stack.entry()?.outputs })).toEqual([]);
    await world.raw("cluster").call(`DELETE peering/${String(ground.full["peerName"])}`);
    expect(await stack.refresh()).toBe(false);
  }),
  // @covers peering: Peering connection > PeerName
  trap(9, "names are labels in lower case, and two of them are reserved", async () => {
    for (const wrong of ["East", "a_b", "-a", "a".repeat(64), "token", "establish", "a/b"]) {
      expect(await refusalOf("clusterPeeringToken", { peerName: wrong }), wrong).toHaveProperty("peerName");
    }
    const { stack, ground, world } = await subjectOf("clusterPeeringToken");
    await stack.up(ground.minimal);
    const host = world.host("engine", "clusterPeeringToken");
    const upper = String(ground.minimal["peerName"]).toUpperCase();
    await expect(host.read(upper, {})).rejects.toThrow("peerName must be a DNS label");
  }),
  trap(10, "empty meta reads absent, and the default partition is none", async () => {
    const { stack, ground } = await subjectOf("clusterPeeringToken");
    await stack.up({ ...ground.minimal, meta: {}, partition: "default" });
    await stack.refresh();
    for (const args of [ground.minimal, { ...ground.minimal, meta: {}, partition: "Default" }]) {
      expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
    }
  }),
  trap(11, "an import lacks token and addresses, and the program gives them", async () => {
    const { stack, ground, restart } = await subjectOf("clusterPeeringToken");
    await stack.up(ground.full);
    restart();
    const inputs = await stack.adopt(String(ground.full["peerName"]));
    expect(inputs).toEqual({ peerName: ground.full["peerName"], meta: ground.full["meta"] });
    expect((await stack.preview(ground.full)).step).toBe("update");
  }),
  // @covers peering: Peering connection > Partition
  // @covers peering: Authentication, errors, limits, versions > partition of the token
  trap(12, "no partition is sent, in body or query, unless the program names one", async () => {
    const { stack, ground, world } = await subjectOf("clusterPeeringToken");
    await stack.up({ ...ground.full, partition: "default" });
    await stack.refresh();
    await stack.destroy();
    expect(world.traffic.seen().length).toBeGreaterThan(3);
    expect(world.traffic.seen().filter(({ url }) => /partition/i.test(url))).toEqual([]);
    const other = { ...ground.full, partition: "east" };
    await expect(stack.up(other)).rejects.toThrow(/Partitions are a Consul Enterprise feature.*Leave out `partition`/);
  }),
  trap(13, "a pair deletes both sides", async () => {
    const { stack, ground, stored } = await subjectOf("clusterPeeredClusters");
    await stack.up(ground.full);
    expect(await stored()).toHaveLength(2);
    await stack.destroy();
    expect(await stored()).toBeUndefined();
  }),
  trap(
    14,
    "a token that another hand made useless cannot be seen, and raising the generation issues a new one",
    async () => {
      const { stack, ground, world } = await subjectOf("clusterPeeringToken");
      await stack.up(ground.minimal);
      const first = stack.entry()?.outputs["peeringToken"];
      await world.raw("cluster").call("POST peering/token", { PeerName: ground.minimal["peerName"] });
      await stack.refresh();
      expect(await stack.preview(ground.minimal)).toEqual({ step: "same", replaces: [] });
      await stack.up({ ...ground.minimal, generation: 2 });
      const PeeringToken = stack.entry()?.outputs["peeringToken"];
      expect(contentOf(PeeringToken)["EstablishmentSecret"]).not.toBe(contentOf(first)["EstablishmentSecret"]);
      await world.raw("peer").call("POST peering/establish", { PeerName: world.fresh("west"), PeeringToken });
    },
  ),
  // @covers peering: Endpoints > GET peering/{peerName}
  trap(15, "a refused read is waited for as long as Consul takes, twenty seconds and more", async () => {
    const { settingsOf } = await import("../../../provider/engine/settings.ts");
    expect(settingsOf("cluster", undefined, () => undefined, {}).timeoutMs).toBeGreaterThanOrEqual(20_000);
  }),
  trap(16, "a pair of which one side is gone is made again on both sides", async () => {
    const subject = await subjectOf("clusterPeeredClusters");
    const { stack, ground, world } = subject;
    await stack.up(ground.full);
    const [acceptor] = (await subject.world.raw("cluster").call("GET peerings")) as { ID: string }[];
    await removePeering(world, String(ground.full["dialerPeerName"]), "peer");
    expect(await stack.refresh()).toBe(true);
    expect(await stack.up(ground.full)).toBe("update");
    const after = (await world.raw("cluster").call("GET peerings")) as { ID: string; Name: string }[];
    expect(after.find(({ Name }) => Name === ground.full["acceptorPeerName"])?.ID).not.toBe(acceptor?.ID);
    expect(await stack.preview(ground.full)).toEqual({ step: "same", replaces: [] });
  }),
  ...peeringStateTraps,
  // @covers peering: Peering connection > ServerExternalAddresses
  trap(19, "external addresses are sent as they are, and none when none are given", async () => {
    const { stack, ground } = await subjectOf("clusterPeeringToken");
    await stack.up(ground.full);
    const token = contentOf(stack.entry()?.outputs["peeringToken"]);
    expect(token["ManualServerAddresses"]).toEqual(ground.full["serverExternalAddresses"]);
    await stack.up(ground.minimal);
    expect(contentOf(stack.entry()?.outputs["peeringToken"])["ManualServerAddresses"]).toBeNull();
  }),
  // @covers peering: Fields of the stored record > ID
  trap(20, "outputs that no other provider shows: the id of the record, and whether it was ended", () => {
    expect(Object.keys(definitionOf("clusterPeeringToken").outputs)).toEqual([
      "peeringToken",
      "peeringId",
      "terminated",
    ]);
    expect(Object.keys(definitionOf("clusterPeering").outputs)).toEqual([
      "peeringId",
      "remotePeeringId",
      "peerServerName",
      "terminated",
    ]);
  }),
];

/** Moves whenever a token is issued (reference B.5); the secret in it is shown by no server. */
async function issuedOf({ world, known }: Subject): Promise<number> {
  const record = await world.servers.stored("cluster", `peering/${String(known()["peerName"])}`);
  return Number(isRecord(record) ? record["ModifyIndex"] : undefined);
}
