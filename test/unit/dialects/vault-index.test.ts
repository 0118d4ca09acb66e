import { expect, it } from "vitest";
import { laterIndex } from "../../../provider/dialects/vault-index.ts";
import { definitions } from "../../../provider/resources/index.ts";
import { engineWithLog } from "../../support/contract-host-engine.ts";
import { serve } from "../../support/loopback-server.ts";

const index = (cluster: string, local: number, replicated = 0) =>
  Buffer.from(`v1:${cluster}:${local}:${replicated}:${"h".repeat(8)}`).toString("base64");

it.each([
  ["the first", undefined, index("a", 5), "next"],
  ["a later one", index("a", 5), index("a", 6), "next"],
  ["an answer that was overtaken", index("a", 12), index("a", 7), "known"],
  ["one that is behind in what is replicated", index("a", 5, 9), index("a", 5, 8), "known"],
  ["that of another cluster", index("a", 12), index("b", 7), "next"],
  ["what cannot be read", index("a", 12), "%%%", "next"],
])("the position of the last write is kept: %s", (_, known, next, wanted) => {
  expect(laterIndex(known, next)).toBe(wanted === "next" ? next : known);
});

it("reads ask for it once something was written, and of a node that is not as far for the active one", async () => {
  const asked: (readonly [string, unknown, unknown])[] = [];
  let policy: string | undefined;
  const { origin } = await serve((request, response) => {
    const { method = "", url = "", headers } = request;
    if (url.startsWith("/v1/sys/policies/acl/p"))
      asked.push([method, headers["x-vault-index"], headers["x-vault-inconsistent"]]);
    if (method === "POST") policy = "";
    if (method === "POST") return void response.writeHead(204, { "x-vault-index": index("a", 7) }).end();
    const found = url.includes("/acl/p")
      ? policy !== undefined && { data: { name: "p", policy } }
      : { version: "1.21.0" };
    response.writeHead(found ? 200 : 404).end(JSON.stringify(found || { errors: [] }));
  });
  const engine = engineWithLog({ secrets: JSON.stringify({ address: origin, token: "t" }) }, []);
  const { inputs } = await engine.check(definitions.sysPolicy, { name: "p", rules: [] });
  await engine.create(definitions.sysPolicy, { ...inputs, policy: "" });
  expect(asked).toEqual([
    ["GET", undefined, undefined],
    ["POST", undefined, undefined],
    ["GET", index("a", 7), "forward-active-node"],
  ]);
});
