import { describe, expect, it } from "vitest";
import { startLasting } from "./data-harness";
import { askSecrets, serving } from "./frame-harness";

const { server, ask } = serving();

const headers = { "x-vault-wrap-ttl": "60" };
const gone = { status: 400, errors: ["wrapping token is not valid or does not exist"] };

async function wrapped(request?: string): Promise<string> {
  const answer =
    request === undefined
      ? ask("POST sys/wrapping/wrap", { a: "b" }, { headers })
      : ask(request, undefined, { headers });
  return JSON.parse((await answer).text).wrap_info.token;
}

const unwrap = (token: string) => ask("POST sys/wrapping/unwrap", {}, { token });

describe("a wrapped answer", () => {
  it("is gone when its time has passed", async () => {
    const token = await wrapped();
    server().clock.advance(59_000);
    expect((await ask("POST sys/wrapping/lookup", { token })).status).toBe(200);
    server().clock.advance(2000);
    expect(await unwrap(token)).toMatchObject(gone);
  });

  it("is gone with its token", async () => {
    const token = await wrapped();
    await ask("POST auth/token/revoke", { token });
    expect(await unwrap(token)).toMatchObject(gone);
  });

  it("is what the answer would have been, without the members that it repeats", async () => {
    const plain = JSON.parse((await ask("GET sys/mounts")).text);
    const inside = JSON.parse((await unwrap(await wrapped("GET sys/mounts"))).text);
    expect(Object.keys(plain)).toContain("cubbyhole/");
    expect(Object.keys(inside)).not.toContain("cubbyhole/");
    expect(inside.data).toEqual(plain.data);
  });

  it("can be unwrapped for its owner only where a policy allows it", async () => {
    const token = await wrapped();
    const { auth } = await ask("POST auth/token/create", { policies: ["none"], no_default_policy: true });
    const stranger = { token: String(auth?.["client_token"]) };
    expect((await ask("POST sys/wrapping/unwrap", { token }, stranger)).status).toBe(403);
    expect((await ask("POST sys/wrapping/unwrap", { token })).data).toEqual({ a: "b" });
  });

  it("cannot be wrapped anew by its own token, and that was its one use", async () => {
    const token = await wrapped();
    expect((await ask("POST sys/wrapping/rewrap", {}, { token })).status).toBe(403);
    expect(await unwrap(token)).toMatchObject(gone);
  });

  it("can be looked up by its own token any number of times", async () => {
    const token = await wrapped();
    for (const _ of [1, 2]) {
      const { data } = await ask("GET sys/wrapping/lookup", undefined, { token });
      expect(data).toMatchObject({ creation_path: "sys/wrapping/wrap", creation_ttl: 60 });
    }
    expect((await unwrap(token)).data).toEqual({ a: "b" });
  });
});

it("a wrapped answer is there after a restart", async () => {
  const lasting = await startLasting();
  const askLasting = () => askSecrets(lasting.running());
  const answer = await askLasting()("POST sys/wrapping/wrap", { a: "b" }, { headers });
  const { token } = JSON.parse(answer.text).wrap_info;
  await lasting.restart();
  expect((await askLasting()("POST sys/wrapping/unwrap", {}, { token })).data).toEqual({ a: "b" });
});
