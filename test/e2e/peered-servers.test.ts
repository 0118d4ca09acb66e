import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EmbeddedServer, startEmbeddedServer } from "../../tools/demo/embedded-server.mts";
import { rawApi } from "../support/contract-raw.ts";

/** Two `trustplane serve` processes peer over the network; each test goes on where the one before it ended. */
describe("two servers, each a process of its own", () => {
  let folder: string;
  let [east, west]: EmbeddedServer[] = [];
  const raw = (server: EmbeddedServer | undefined) => {
    if (server === undefined) throw new Error("the server did not start");
    return rawApi("cluster", server.cluster);
  };
  const read = async (server: EmbeddedServer | undefined) => {
    const { body } = await raw(server).ask("GET peering/partner");
    return body as { readonly State?: string; readonly Remote?: { readonly Datacenter: string } };
  };
  const states = async () => [(await read(east)).State, (await read(west)).State];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "trustplane-peered-"));
    const start = (name: string) =>
      startEmbeddedServer(name, { folder, mayBeKept: false, flags: ["--datacenter", name] });
    [east, west] = await Promise.all([start("east"), start("west")]);
  }, 30_000);

  afterAll(async () => {
    await Promise.all([east?.stop(), west?.stop()]);
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test("become ACTIVE, and know each other's datacenter", async () => {
    const token = await raw(east).call("POST peering/token", { PeerName: "partner" });
    const { PeeringToken } = token as { PeeringToken: string };

    await raw(west).call("POST peering/establish", { PeerName: "partner", PeeringToken });

    await expect.poll(states).toEqual(["ACTIVE", "ACTIVE"]);
    expect((await read(east)).Remote?.Datacenter).toBe("west");
    expect((await read(west)).Remote?.Datacenter).toBe("east");
  });

  test("refuse the token a second time, over the network too", async () => {
    const token = await raw(east).call("POST peering/token", { PeerName: "other" });
    const { PeeringToken } = token as { PeeringToken: string };
    await raw(west).call("POST peering/establish", { PeerName: "other", PeeringToken });

    expect(await raw(west).ask("POST peering/establish", { PeerName: "other", PeeringToken })).toMatchObject({
      status: 403,
      body: "a new peering token must be generated: invalid peering establishment secret",
    });
  });

  test("FAILING is what is left when one of them is killed", async () => {
    process.kill(east?.pid ?? 0, "SIGKILL");

    await expect.poll(async () => (await read(west)).State).toBe("FAILING");
  });

  test("and the other one still ends when it is told to, though it dials", async () => {
    const begin = performance.now();
    const server = west;
    await server?.stop();
    expect(performance.now() - begin).toBeLessThan(2_500);
    await expect(raw(server).ask("GET peerings")).rejects.toThrow();
  });
});
