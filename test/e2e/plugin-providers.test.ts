import { beforeAll, describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";

/** Explicit providers, one a cluster: nothing in the environment tells where the servers are, and its token is for none. */
describe("two providers in one program", needsPulumi(), () => {
  let story: Story;
  const peerings = ({ records }: Story["ours"]) =>
    Object.keys(records().cluster).filter((path) => /peering/.test(path));

  beforeAll(async () => {
    story = await openStory({
      program: { source: program },
      env: ({ ours, partner }) => ({
        CONSUL_HTTP_ADDR: "",
        CONSUL_HTTP_TOKEN: "of-another-server",
        OUR_ADDRESS: ours.cluster.address,
        OUR_TOKEN: ours.cluster.token,
        THEIR_ADDRESS: partner.cluster.address,
        THEIR_TOKEN: partner.cluster.token,
      }),
    });
    return story.close;
  }, openingMs);

  test("peer their two clusters", async () => {
    await story.pulumi("up --yes");

    expect(peerings(story.ours)).toHaveLength(1);
    expect(peerings(story.partner)).toHaveLength(1);
    await story.pulumi("preview --refresh --expect-no-changes");
  });

  test("keep the token of a configuration encrypted, as well as that of the peering", async () => {
    const state = JSON.stringify(await story.sandbox.export());

    expect(state).not.toContain(story.ours.cluster.token);
    expect(state).not.toContain(story.partner.cluster.token);
    expect(state).not.toMatch(/"eyJ[\w+/=]{40}/);
    expect(state).toContain("THEIR_TOKEN");
  });

  test("refuse a configuration that is not right, and show nothing of it", async () => {
    story.rewrite(program.replace("address: process.env.OUR_ADDRESS", 'adress: "x"'));

    const { text } = await story.pulumi("preview", { code: 1 });

    expect(text).toMatch(/the configuration trustplane:cluster is not valid: .*adress/);
    expect(text).not.toContain(story.ours.cluster.token);
  });

  test("an address that another resource has yet to tell is not known in a preview, and no server is asked", async () => {
    story.rewrite(`${program}
const place = new pulumi.dynamic.Resource({ create: async ({ at }) => ({ id: "place", outs: { at } }) }, "place", { at: process.env.OUR_ADDRESS, out: undefined });
const late = new trustplane.Provider("late", { cluster: { address: place.id.apply(() => process.env.OUR_ADDRESS), tokenEnv: "OUR_TOKEN" } });
new trustplane.cluster.PeeringToken("late", { peerName: "late" }, { provider: late });`);

    await story.pulumi("preview");
    await story.pulumi("up --yes --skip-preview");

    expect(peerings(story.ours)).toHaveLength(2);
    await story.pulumi("destroy --yes --skip-preview");
    expect(peerings(story.ours)).toEqual([]);
    expect(peerings(story.partner)).toEqual([]);
  });
});

const program = `
const pulumi = require("@pulumi/pulumi");
const trustplane = require("trustplane/native");
const ours = new trustplane.Provider("ours", { cluster: { address: process.env.OUR_ADDRESS, token: process.env.OUR_TOKEN } });
const theirs = new trustplane.Provider("theirs", { cluster: { address: process.env.THEIR_ADDRESS, tokenEnv: "THEIR_TOKEN" } });
const invitation = new trustplane.cluster.PeeringToken("theirs", { peerName: "theirs" }, { provider: ours });
new trustplane.cluster.Peering("ours", { peerName: "ours", peeringToken: invitation.peeringToken }, { provider: theirs });
`;
