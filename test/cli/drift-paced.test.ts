import { expect, it } from "vitest";
import { paced } from "../../cli/drift/paced.ts";
import type { HttpAnswer, HttpRequest } from "../../provider/http/transport.ts";

const request: HttpRequest = { method: "GET", url: new URL("http://host/v1/auth/jwt/role/ci"), headers: {} };

/** A server that refuses so many requests at first, and remembers how many it had at once before and after. */
function server(refusals: number) {
  const most = { before: 0, after: 0 };
  let [running, left] = [0, refusals];
  const send = async (): Promise<HttpAnswer> => {
    running++;
    const phase = left > 0 ? "before" : "after";
    most[phase] = Math.max(most[phase], running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return left-- > 0
      ? { status: 429, headers: { "retry-after": "0" }, text: "" }
      : { status: 200, headers: {}, text: "" };
  };
  return { most, send: paced(4)(send) };
}

it("no more requests than the width are under way, and all are answered", async () => {
  const { most, send } = server(0);
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(request)));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(most.after).toBe(4);
});

it("after a 429 half as many are under way, also when several were refused together", async () => {
  const { most, send } = server(4);
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(request)));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  expect(most).toEqual({ before: 4, after: 2 });
});

it("a request that fails makes room for the next", async () => {
  const send = paced(1)(async () => {
    throw new Error("cut");
  });
  const outcomes = await Promise.allSettled([send(request), send(request), send(request)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
});
