import { beforeAll, describe, expect, it } from "vitest";
import type { Expects } from "../../provider/dialects/dialect.ts";
import { dialects } from "../../provider/dialects/index.ts";
import type { ApiRequest, Reply } from "../../provider/engine/api-request.ts";
import { openConnection } from "../../provider/engine/connection.ts";
import { settingsFor } from "../support/connection-stand-in.ts";
import { serve } from "../support/loopback-server.ts";
import { type Exchange, textOf } from "./exchange.mts";
import { openBaoOutcomes } from "./openbao-outcomes.ts";
import { isReplayed, readRecording } from "./recording.mts";
import { nameOf, type Outcome, type Service, type Step, stepsOn } from "./scenario.mts";
import { scenarios } from "./scenarios/index.mts";

const dialectOf = { secrets: dialects.vault, cluster: dialects.consul, policy: dialects.tfe };
const verbs: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"] satisfies ApiRequest["method"][];

const replays = scenarios.flatMap((scenario) =>
  scenario.servers.filter(isReplayed).map((server) => ({ scenario, server })),
);

describe.each(replays.map((replay) => ({ ...replay, name: nameOf(replay.scenario) })))(
  "the client understands $name of $server:",
  ({ scenario, server, name }) => {
    let recorded: readonly Exchange[] = [];
    beforeAll(() => {
      recorded = readRecording(scenario, server);
    });

    it.each(stepsOn(scenario, server))("$title", async (step) => {
      const { exchange, earlier } = found(recorded, step);
      const isAsked = verbs.includes(exchange.request.method) && isBelowPrefix(exchange, scenario.service);
      const { outcome } = step;
      expect(outcome === "unasked", "`unasked` is for what the client has no way to send").toBe(!isAsked);
      if (outcome === "unasked") return;
      const onOpenBao = server === "openbao" ? openBaoOutcomes[name]?.[step.title] : undefined;
      const replayed = { exchange, earlier, service: scenario.service };
      if (outcome === "document") {
        expectOutcome(await outcomeOf(replayed, "anything"), "ok");
        expectOutcome(await outcomeOf(replayed), {
          error: "ResponseError",
          says: /^the server answered 2\d\d, but it/,
        });
        return;
      }
      expectOutcome(await outcomeOf(replayed), onOpenBao ?? outcome);
    });
  },
);

it("every outcome of OpenBao's own is of a step that is recorded there", () => {
  for (const [name, outcomes] of Object.entries(openBaoOutcomes)) {
    const scenario = scenarios.find((each) => nameOf(each) === name);
    const titles = scenario === undefined ? [] : readRecording(scenario, "openbao").map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(Object.keys(outcomes)));
  }
});

/** What was recorded of a step, and what before it: the client may ask a second question, which one of these answers. */
function found(recorded: readonly Exchange[], { title }: Step): { exchange: Exchange; earlier: readonly Exchange[] } {
  const at = recorded.findIndex((exchange) => exchange.title === title);
  const exchange = recorded[at];
  if (exchange === undefined) throw new Error(`"${title}" was not recorded: npm run record`);
  return { exchange, earlier: recorded.slice(0, at).reverse() };
}

function isBelowPrefix({ request }: Exchange, service: Service): boolean {
  return request.path.startsWith(dialectOf[service].prefix);
}

interface Replayed {
  readonly exchange: Exchange;
  readonly earlier: readonly Exchange[];
  readonly service: Service;
}

type ClientOutcome = { readonly reply: Reply } | { readonly error: unknown };

/** Sends the request through the client, to a server that answers with what was recorded. */
async function outcomeOf({ exchange, earlier, service }: Replayed, expects?: Expects): Promise<ClientOutcome> {
  const { origin } = await serve((request, response) => {
    const asked = ({ request: { method, path } }: Exchange) =>
      method === request.method && decodeURIComponent(path) === decodeURIComponent(request.url ?? "");
    const answer = [exchange, ...earlier].find(asked);
    const text = answer === undefined ? "" : textOf(answer);
    // Whatever else the client asks shows in the outcome.
    response.writeHead(answer?.status ?? 599, { ...answer?.headers, connection: "close" }).end(text);
  });
  const dialect = dialectOf[service];
  const connection = openConnection({ ...settingsFor(origin, service), offline: true }, dialect, {
    env: { STAND_IN_TOKEN: "of-the-recording" },
    log: () => {},
  });
  const { method, path, body } = exchange.request;
  try {
    // Its verb is one of the client's: the caller has looked.
    const request = { method: method as ApiRequest["method"], path: path.slice(dialect.prefix.length), members: body };
    return { reply: await connection.ask({ ...request, expects }) };
  } catch (error) {
    return { error };
  }
}

function expectOutcome(outcome: ClientOutcome, expected: Exclude<Outcome, "unasked" | "document">): void {
  if (expected === "ok" || expected === "absent") {
    expect(outcome).toMatchObject({ reply: { kind: expected === "ok" ? "found" : "absent" } });
    return;
  }
  if ("found" in expected) {
    expect(outcome).toMatchObject({ reply: { kind: "found", record: expected.found } });
    return;
  }
  expect(outcome).toMatchObject({ error: { code: expected.error, message: expect.stringMatching(expected.says) } });
}
