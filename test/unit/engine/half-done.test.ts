import { expect, it } from "vitest";
import type { Values } from "../../../provider/core/definition.ts";
import { createEngine } from "../../../provider/engine/engine.ts";
import { jwtRole } from "../../../provider/resources/jwt/role.ts";
import { serve } from "../../support/loopback-server.ts";

const ID = "auth/jwt/role/ci";
const role = (more: Values = {}) => ({ mount: "jwt", name: "ci", roleType: "jwt", userClaim: "sub", ...more });

interface Server {
  /** The role that is there at first. */
  readonly stored?: Values;
  /** How writes and deletes are answered, and whether they are done. */
  readonly status: number;
  readonly isDone?: boolean;
  /** Whether a look after such a request is answered. */
  readonly isSeen?: boolean;
}

async function serverOf({ stored, status, isDone = true, isSeen = true }: Server) {
  let [record, isWritten] = [stored, false];
  const asked: string[] = [];
  const { origin } = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = (code: number, body: unknown) => response.writeHead(code).end(JSON.stringify(body));
    if (request.url === "/v1/sys/auth") return void answer(200, { data: { "jwt/": { type: "jwt" } } });
    asked.push(String(request.method));
    if (request.method !== "GET") {
      isWritten = true;
      const isDelete = request.method === "DELETE";
      if (isDone) record = isDelete ? undefined : { ...record, ...JSON.parse(Buffer.concat(chunks).toString()) };
      return void answer(status, { errors: ["refused"] });
    }
    if (isWritten && !isSeen) return void answer(500, { errors: ["broken"] });
    if (record) return void answer(200, { data: record });
    answer(404, { errors: [] });
  });
  const entry = JSON.stringify({ address: origin, token: "t", maxRetries: 0, offline: true });
  const engine = createEngine({ config: (key) => (key === "takeOver" ? "always" : entry), env: {}, log: () => {} });
  return { engine, asked, stored: () => record };
}

const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);
const before = { role_type: "jwt", user_claim: "sub", policies: ["default"] };

it.each([400, 408, 500])("a change that %s refused, and that was done all the same, is recorded", async (status) => {
  const { engine } = await serverOf({ stored: before, status });
  const error = await failure(engine.update(jwtRole, ID, role(), role({ userClaim: "email" })));
  const left = { userClaim: "email", incomplete: true };
  expect(error).toMatchObject({ code: "PartialError", id: ID, properties: left });
});

it("a change that was refused, and not done, leaves what was recorded", async () => {
  const { engine } = await serverOf({ stored: before, status: 400, isDone: false });
  const error = await failure(engine.update(jwtRole, ID, role(), role({ userClaim: "email" })));
  expect(error).toMatchObject({ code: "ApiError", status: 400 });
});

it("a refused creation is not looked after: what is there then is somebody else's", async () => {
  const { engine, asked } = await serverOf({ status: 400 });
  expect(await failure(engine.create(jwtRole, role()))).toMatchObject({ code: "ApiError", status: 400 });
  expect(asked).toEqual(["GET", "POST"]);
});

it("a creation of which nothing is known is recorded, and nothing of a record that was there before", async () => {
  const fresh = await serverOf({ status: 500, isSeen: false });
  const left = { name: "ci", incomplete: true };
  const error = await failure(fresh.engine.create(jwtRole, role()));
  expect(error).toMatchObject({ code: "PartialError", id: ID, properties: left });
  const theirs = await serverOf({ stored: before, status: 500, isSeen: false });
  const taken = await failure(theirs.engine.create(jwtRole, role({ userClaim: "email" })));
  expect(taken).toMatchObject({ code: "ApiError", status: 500 });
});

it("a deletion without a clear answer is done where the record is gone", async () => {
  const gone = await serverOf({ stored: before, status: 500 });
  expect(await failure(gone.engine.delete(jwtRole, ID, role()))).toBeUndefined();
  const there = await serverOf({ stored: before, status: 500, isDone: false });
  const refused = await failure(there.engine.delete(jwtRole, ID, role()));
  expect((refused as Error).message).toBe('deleting jwt.Role "ci": 500 refused (DELETE auth/jwt/role/ci).');
  const unseen = await serverOf({ stored: before, status: 500, isSeen: false });
  const unknown = await failure(unseen.engine.delete(jwtRole, ID, role()));
  expect((unknown as Error).message).toMatch(/^deleting jwt\.Role "ci": it is not known whether it was deleted: 500/);
});
