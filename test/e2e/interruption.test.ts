import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { faultScript } from "../../server/faults/fault-script.ts";
import { openStandIn, peeringIn, standInToken } from "../support/peering-stand-in.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { libraries } from "./libraries.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";
import { openStackStory } from "./stack-story.ts";

describe.each(libraries)("one Ctrl-C in the middle of an up, with %s", needsPulumi(), (library) => {
  let story: Story;
  const rolesOnServer = () =>
    Object.keys(story.ours.records().secrets).filter((path) => path.startsWith("auth/jwt/role/"));
  const rolesInState = async () =>
    ((await story.sandbox.export()).deployment.resources ?? []).flatMap(({ id, type }) =>
      type.endsWith(":Role") ? (id ?? []) : [],
    );

  beforeAll(async () => {
    story = await openStory({ program: { source: programWith(library) } });
    return story.close;
  }, openingMs);

  test("leaves in the state what is on the server", async () => {
    const interruption = new AbortController();
    story.ours.faults.add(faultScript.parse("GET auth/jwt/role/two slow:2000"));
    const running = story.pulumi("up --yes --skip-preview", { signal: interruption.signal, code: 1 });

    // Now it is read back.
    const isWritten = () => story.ours.log.all().some(({ method, path }) => method === "POST" && path.endsWith("/two"));
    await vi.waitUntil(isWritten, { timeout: 60_000 });
    interruption.abort();
    await running;

    expect(rolesOnServer()).toEqual(["auth/jwt/role/one", "auth/jwt/role/two"]);
    expect(await rolesInState()).toEqual(rolesOnServer());
  });

  test("is made good by the next up", async () => {
    story.ours.faults.clear();

    await story.pulumi("up --yes --skip-preview");

    expect(rolesOnServer()).toHaveLength(3);
    await story.pulumi("preview --refresh --expect-no-changes");
  });
});

describe.each(libraries)("one Ctrl-C while a peering is waited for, with %s", needsPulumi(), (library) => {
  test("leaves it in the state, and the next up goes on with it", async () => {
    let state = "ESTABLISHING";
    const standIn = await openStandIn(() => peeringIn(state));
    const story = await openStackStory({
      program: { source: peeringWith(library) },
      env: { CONSUL_HTTP_ADDR: standIn.address, CONSUL_HTTP_TOKEN: "any" },
    });
    onTestFinished(story.close);
    const interruption = new AbortController();
    let isHeard = false;
    const running = story.pulumi("up --yes --skip-preview", {
      signal: interruption.signal,
      code: 1,
      onLine: (line) => (isHeard ||= line.includes("^C received")),
    });

    await vi.waitUntil(() => standIn.seen.filter((line) => line.startsWith("GET")).length > 2, { timeout: 60_000 });
    interruption.abort();
    // Else the peering would be there, and the command done, before it hears the Ctrl-C.
    await vi.waitUntil(() => isHeard, { timeout: 60_000 });
    state = "ACTIVE";
    await running;

    expect((await story.resources()).map(({ id }) => id)).toEqual(["east"]);
    await story.pulumi("up --yes --skip-preview");
    expect(standIn.seen.filter((line) => line.startsWith("POST"))).toHaveLength(1);
  });
});

// The stand-in shows the peering from the beginning.
const peeringWith = (library: string) => `
const trustplane = require("${library}");
const peeringToken = ${JSON.stringify(standInToken)};
new trustplane.cluster.Peering("east", { peerName: "east", peeringToken, takeOver: "always" });
`;

const programWith = (library: string) => `
const trustplane = require("${library}");
const common = { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://secrets.example.com"] };
const one = new trustplane.jwt.Role("one", { ...common, name: "one" });
const two = new trustplane.jwt.Role("two", { ...common, name: "two" }, { dependsOn: one });
new trustplane.jwt.Role("three", { ...common, name: "three" }, { dependsOn: two });
`;
