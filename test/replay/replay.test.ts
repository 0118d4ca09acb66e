import { beforeAll, describe, expect, test } from "vitest";
import { MOUNT_MARK } from "../../provider/core/state-names.ts";
import { typeToken } from "../../provider/core/type-token.ts";
import { isRecord } from "../../provider/core/unknowns.ts";
import { definitions } from "../../provider/resources/index.ts";
import { startServers } from "../../server/serve.ts";
import { environmentOf } from "../e2e/watched-servers.ts";
import { type PluginServer, startPlugin } from "../support/plugin-server.ts";
import { type Bindings, createBindings } from "./bindings.ts";
import { callPlugin, withSmallNames } from "./call-plugin.ts";
import { prepareServers } from "./prepare-servers.mts";
import { type RecordedCall, readRecordedRun, recordedRuns } from "./recorded-call.mts";

/** The engine's calls in the life of a stack with every resource, each run going on where the one before it ended. */
describe("the recorded calls of the real CLI", { timeout: 60_000, shuffle: false }, () => {
  let plugin: PluginServer;
  let bindings: Bindings;

  beforeAll(async () => {
    const [ours, partner] = [await startServers(), await startServers()];
    const { env, known } = await prepareServers({ ...ours, partner: partner.cluster });
    const log = { write: () => {}, attach: () => {}, about: <T>(_: string, work: () => Promise<T>) => work() };
    plugin = await startPlugin({ ...log, flush: async () => {} }, { ...environmentOf(ours), ...env });
    bindings = createBindings(known);
    return async () => {
      plugin.close();
      await Promise.all([ours.close(), partner.close()]);
    };
  });

  test.each(recordedRuns)("%s: every call is answered as when it was recorded", async (run) => {
    for (const call of readRecordedRun(run)) {
      const actual = withoutMark(await callPlugin(plugin.client, call.method, bindings.filled(call.request)));
      const said = madeUp(call) ? withoutFingerprints(actual) : actual;
      const recorded = withSmallNames(madeUp(call) ? withoutFingerprints(call.response) : call.response);
      expect(said, titleOf(call)).toEqual(bindings.expected(recorded, said));
    }
  });

  test("they are about every resource there is", () => {
    const urns = readRecordedRun("up").map(({ request }) => String(request["urn"]));
    const types = new Set(urns.map((urn) => urn.split("::")[2]));

    const todo = "a new resource has its line in test/replay/program.mts: then `npm run record:plugin`";
    expect([...types], todo).toEqual(
      expect.arrayContaining(Object.values(definitions).map(({ token }) => typeToken(token))),
    );
  });
});

/** Where the state has no key of fingerprints yet, Check makes one up; what follows is asked with the recorded one. */
function madeUp({ method, request }: RecordedCall): boolean {
  const { olds, news } = request;
  if (!method.endsWith("/Check") || !isRecord(olds) || !isRecord(news)) return false;
  return olds["fingerprintKey"] === undefined && !JSON.stringify(news).includes('"<');
}

function withoutFingerprints({ inputs, ...rest }: RecordedCall["response"]): RecordedCall["response"] {
  if (!isRecord(inputs) || !isRecord(inputs["fingerprints"])) return { ...rest, inputs };
  const { fingerprints, fingerprintKey, ...plain } = inputs;
  const has = { fingerprints: Object.keys(fingerprints), fingerprintKey: fingerprintKey !== undefined };
  return { ...rest, inputs: { ...plain, ...has } };
}

/** The states that were recorded have no marks of mounts yet, and go on without. */
function withoutMark({ properties, ...rest }: RecordedCall["response"]): RecordedCall["response"] {
  if (!isRecord(properties)) return { ...rest, properties };
  const { [MOUNT_MARK]: _, ...plain } = properties;
  return { ...rest, properties: plain };
}

function titleOf({ method, request }: RecordedCall): string {
  return `${method.split("/").at(-1)} ${String(request["urn"] ?? request["tok"] ?? "")}`;
}
