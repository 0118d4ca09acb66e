import { describe, expect, it, vi } from "vitest";
import { ProviderError } from "../../../provider/core/errors.ts";
import { createCollections } from "../../../provider/engine/collections.ts";
import { always, standIn } from "../../support/connection-stand-in.ts";

const path = "policy-sets/polset-a/parameters";
const entry = (id: string) => ({ id, type: "vars", attributes: { key: id } });
const page = (ids: readonly string[], next: unknown = null) => ({ data: ids.map(entry), links: { next } });
const found = (...ids: string[]) => ({ kind: "found", record: ids.map((id) => ({ id, key: id })) });

describe("a list that several wait for", () => {
  it("outlives the caller who asked for it first", async () => {
    const released = Promise.withResolvers<void>();
    const timeout = new AbortController();
    const over = new ProviderError("NetworkError", "its timeout of 1 s is over (customTimeouts)");
    const { connection, asked } = await standIn("tfe", async (incoming, outgoing) => {
      timeout.abort(over);
      await released.promise;
      always(200, page(["a", "b"]))(incoming, outgoing);
    });
    const first = connection.collection(path, "a", { signal: timeout.signal });
    const second = connection.collection(path, "b");
    await expect(first).rejects.toMatchObject({ code: "NetworkError", message: expect.stringContaining(over.message) });
    released.resolve();
    expect(await second).toMatchObject(found("a", "b"));
    expect(asked).toHaveLength(1);
  });

  it("is given up when nobody waits any more, and asked for anew by the next", async () => {
    const closed = Promise.withResolvers<void>();
    const cancelled = new AbortController();
    let isFirst = true;
    const { connection, asked } = await standIn("tfe", (incoming, outgoing) => {
      if (!isFirst) return always(200, page(["a"]))(incoming, outgoing);
      isFirst = false;
      incoming.socket.once("close", () => closed.resolve());
      cancelled.abort();
    });
    await expect(connection.collection(path, "a", { signal: cancelled.signal })).rejects.toThrow(/cancelled/);
    await closed.promise;
    expect(await connection.collection(path, "b")).toMatchObject(found("a"));
    expect(asked).toHaveLength(2);
  });

  it("is not kept when it fails", async () => {
    let status = 500;
    const { connection } = await standIn("tfe", (...args) => always(status, page(["a"]))(...args));
    await expect(connection.collection(path, "a")).rejects.toMatchObject({ status: 500 });
    status = 200;
    expect(await connection.collection(path, "b")).toMatchObject(found("a"));
  });
});

describe("a list from before a write", () => {
  it.each([
    ["is answered", (socket: { destroy(): void }, end: () => void) => void [socket, end()]],
    ["is cut", (socket: { destroy(): void }) => socket.destroy()],
  ])("is not shown after it, also where the write %s", async (_, ending) => {
    const { connection, asked } = await standIn("consul", (incoming, outgoing) => {
      if (incoming.method === "GET") return always(200, [])(incoming, outgoing);
      ending(incoming.socket, () => outgoing.end("{}"));
    });
    await connection.collection("v1/peerings", "a");
    await connection.ask({ method: "POST", path: "v1/peering/establish", members: {} }).catch(() => {});
    await connection.collection("v1/peerings", "b");
    expect(asked.filter((line) => line.startsWith("GET"))).toHaveLength(2);
  });

  it("is not shown while it is under way, nor is one from during it shown afterwards", async () => {
    const writing = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const { connection, asked } = await standIn("consul", async (incoming, outgoing) => {
      if (incoming.method !== "GET") {
        writing.resolve();
        await released.promise;
      }
      always(200, incoming.method === "GET" ? "[]" : "{}")(incoming, outgoing);
    });
    await connection.collection("v1/peerings", "a");
    const write = connection.ask({ method: "POST", path: "v1/peering/token", members: {} });
    await writing.promise;
    await connection.collection("v1/peerings", "b");
    released.resolve();
    await write;
    await connection.collection("v1/peerings", "c");
    expect(asked.filter((line) => line.startsWith("GET"))).toHaveLength(3);
  });
});

describe("the pages of a list", () => {
  const next = (number: unknown) => `https://host/api/v2/${path}?page%5Bnumber%5D=${number}`;

  it("are read to the end", async () => {
    const { connection, asked } = await standIn("tfe", ({ url }, outgoing) => {
      outgoing.end(JSON.stringify(url?.includes("page") ? page(["b"]) : page(["a"], next(2))));
    });
    expect(await connection.collection(path, "a")).toMatchObject(found("a", "b"));
    expect(asked).toHaveLength(2);
  });

  it.each([
    ["leads back to one that was read", next(2), 2],
    ["leads to another path", "https://host/api/v2/workspaces?page=2", 1],
    ["leads to another path", "https://host/login", 1],
    ["leads to another path", 5, 1],
    ["leads to another path", { href: "x" }, 1],
  ])("are an error where a link %s (%j)", async (says, link, requests) => {
    const { connection, asked } = await standIn("tfe", always(200, page(["a"], link)));
    await expect(connection.collection(path, "a")).rejects.toMatchObject({
      code: "ResponseError",
      message: `the list cannot be used: its link to the next page ${says} (GET ${path}).`,
    });
    expect(asked).toHaveLength(requests);
  });

  it("are an error where they do not end", async () => {
    let pages = 0;
    const endless = createCollections(async () => {
      return { kind: "found", record: [], filtered: false, next: `${path}?page=${++pages}` };
    });
    await expect(endless.show(path, "a", {})).rejects.toMatchObject({
      code: "ResponseError",
      message: `the list cannot be used: it has more than 1000 pages (GET ${path}).`,
    });
    expect(pages).toBe(1000);
  });
});

it("a snapshot shows each record once, for some seconds", async () => {
  const { connection, asked } = await standIn("tfe", always(200, page(["a"])));
  await connection.collection(path, "a");
  await connection.collection(path, "b");
  expect(asked).toHaveLength(1);
  await connection.collection(path, "b");
  expect(asked).toHaveLength(2);
  const now = Date.now() + 11_000;
  vi.spyOn(Date, "now").mockImplementation(() => now);
  await connection.collection(path, "c");
  vi.restoreAllMocks();
  expect(asked).toHaveLength(3);
});
