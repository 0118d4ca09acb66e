import { describe, expect, it } from "vitest";
import type { Values } from "../../../provider/core/definition.ts";
import { createEngine } from "../../../provider/engine/engine.ts";
import { definitions } from "../../../provider/resources/index.ts";
import { serve } from "../../support/loopback-server.ts";

type Mount = "sysAuthMount" | "sysSecretsMount";
interface Answer {
  readonly status: number;
  readonly body: string;
}

const NOTHING: Answer = { status: 404, body: '{"errors":[]}' };
const NO_MOUNTS: Answer = { status: 200, body: '{"data":{"sys/":{"type":"system"}}}' };
const keys = (...names: string[]): Answer => ({ status: 200, body: JSON.stringify({ data: { keys: names } }) });

/** What a deletion of a mount with this state asks for, and what it says, on a server with these lists. */
async function deleted(mount: Mount, state: Values, lists: Readonly<Record<string, Answer>>) {
  const [asked, logged]: [string[], string[]] = [[], []];
  const { origin } = await serve((request, response) => {
    const line = `${request.method} ${request.url?.replace("/v1/", "")}`;
    // That it is gone is looked up in the list of mounts, after what is asserted here.
    if (!/^GET sys\//.test(line)) asked.push(line);
    const path = /^GET (.*?)(\?list=true)?$/.exec(line)?.[1] ?? "";
    const { status, body } =
      request.method === "DELETE"
        ? { status: 204, body: "" }
        : (lists[path] ?? (/^GET sys\//.test(line) ? NO_MOUNTS : NOTHING));
    response.writeHead(status).end(body);
  });
  const entry = JSON.stringify({ address: origin, token: "t", maxRetries: 0, offline: true });
  const config = (key: string) => (key === "takeOver" ? undefined : entry);
  const engine = createEngine({ config, env: {}, log: (_, text) => logged.push(text) });
  const id = mount === "sysAuthMount" ? "sys/auth/p" : "sys/mounts/p";
  const said = await engine.delete(definitions[mount], id, { path: "p", ...state }).then(
    () => "deleted",
    (error: Error) => error.message,
  );
  return { said, asked, logged, isGone: asked.includes(`DELETE ${id}`) };
}

const homes: readonly [Mount, Values, collection: string][] = [
  ["sysSecretsMount", { type: "kv" }, "p"],
  ["sysSecretsMount", { type: "kv", options: { version: "1" } }, "p"],
  ["sysSecretsMount", { type: "kv", options: { version: "2" } }, "p/metadata"],
  ["sysSecretsMount", { type: "pki" }, "p/certs"],
  ["sysSecretsMount", { type: "transit" }, "p/keys"],
  ["sysSecretsMount", { type: "database" }, "p/config"],
  ["sysSecretsMount", { type: "aws" }, "p/static-roles"],
  ["sysAuthMount", { type: "userpass" }, "auth/p/users"],
  ["sysAuthMount", { type: "ldap" }, "auth/p/groups"],
  ["sysAuthMount", { type: "github" }, "auth/p/map/teams"],
  ["sysAuthMount", { type: "approle" }, "auth/p/role"],
  ["sysAuthMount", { type: "oidc" }, "auth/p/role"],
];

describe("a mount of a known type", () => {
  it.each(homes)("%s %j is not deleted while something lives in %s", async (mount, state, collection) => {
    const { said, isGone } = await deleted(mount, state, { [collection]: keys("a", "b", "c", "d") });
    expect(said).toBe(
      `deleting ${mount === "sysAuthMount" ? "sys.AuthMount" : "sys.SecretsMount"} "p": 4 records are still in ${collection} (a, b, c, …) and would be lost. Delete them first, or set \`force\` to \`true\` on ${mount === "sysAuthMount" ? "sys.AuthMount" : "sys.SecretsMount"} "p" and update it. To keep what \`deletedWith\` or \`retainOnDelete\` has left there, set \`retainOnDelete\` on the mount, too.`,
    );
    expect(isGone).toBe(false);
  });

  it.each(homes)("%s %j is deleted when nothing lives there", async (mount, state) => {
    expect(await deleted(mount, state, {})).toMatchObject({ said: "deleted", isGone: true });
  });

  it.each(homes)("%s %j is deleted unseen by force, and by nothing less", async (mount, state, collection) => {
    const lists = { [collection]: keys("a") };
    expect(await deleted(mount, { ...state, force: true }, lists)).toMatchObject({
      isGone: true,
      asked: [expect.stringMatching(/^DELETE/)],
    });
    for (const force of [false, undefined, "true"])
      expect(await deleted(mount, { ...state, force }, lists)).toMatchObject({ isGone: false });
  });
});

describe("an auth method", () => {
  const aliases = "identity/group-alias/id";

  it("is deleted with a warning where the token may not list the aliases of groups", async () => {
    const refused = { status: 403, body: '{"errors":["permission denied"]}' };
    const { isGone, logged } = await deleted("sysAuthMount", { type: "userpass" }, { [aliases]: refused });
    expect(isGone).toBe(true);
    expect(logged).toContainEqual(
      expect.stringMatching(/^sys\.AuthMount: whether a group alias is bound to it is not known: 403 .*"list" on ide/),
    );
  });

  it("is not deleted where they cannot be listed for another reason, or its configuration cannot be read", async () => {
    const down = { status: 500, body: '{"errors":["storage"]}' };
    expect(await deleted("sysAuthMount", { type: "userpass" }, { [aliases]: down })).toMatchObject({ isGone: false });
    const refused = { status: 403, body: '{"errors":["permission denied"]}' };
    const lists = { "auth/p/config": refused };
    expect(await deleted("sysAuthMount", { type: "jwt" }, lists)).toMatchObject({ isGone: false });
  });
});

describe("a mount of another type", () => {
  it.each(["sysAuthMount", "sysSecretsMount"] as const)("%s is not deleted without force", async (mount) => {
    for (const type of ["of-our-own", "constructor", undefined]) {
      const { said, asked } = await deleted(mount, { type }, {});
      expect(said).toMatch(
        /it is not known how to list what lives in a mount of type .*lost\. .*set `force` to `true` on sys/,
      );
      expect(asked).toEqual([]);
      expect(await deleted(mount, { type, force: true }, {})).toMatchObject({ isGone: true });
    }
  });
});

describe("a mount that another hand has put in the place of the recorded one", () => {
  const theirs: Answer = {
    status: 200,
    body: '{"data":{"p/":{"type":"kv","accessor":"kv_2","description":"theirs","options":{"version":"1"},"config":{}}}}',
  };
  const lists = { "sys/mounts": theirs, p: keys("secret") };

  it.each<Values>([{ type: "aws", accessor: "aws_1" }, { type: "aws" }, { type: "kv", accessor: "kv_1" }])(
    "is not deleted by a state of %j",
    async (state) => {
      const { said, isGone } = await deleted("sysSecretsMount", state, lists);
      expect(said).toMatch(/another one is there than was recorded: .*Refresh the state/);
      expect(isGone).toBe(false);
    },
  );

  it("is looked into by its own type and options, whatever was recorded", async () => {
    const recorded = { type: "kv", accessor: "kv_2", options: { version: "2" } };
    const { said, isGone } = await deleted("sysSecretsMount", recorded, lists);
    expect(said).toMatch(/1 record is still in p \(secret\)/);
    expect(isGone).toBe(false);
  });

  it("is not written to", async () => {
    const writes: string[] = [];
    const { origin } = await serve((request, response) => {
      if (request.method !== "GET") writes.push(`${request.method} ${request.url}`);
      response.end(theirs.body);
    });
    const entry = JSON.stringify({ address: origin, token: "t", maxRetries: 0, offline: true });
    const engine = createEngine({ config: (key) => (key === "takeOver" ? undefined : entry), env: {}, log: () => {} });
    const olds = { path: "p", type: "aws", accessor: "aws_1" };
    const news = { path: "p", type: "aws", description: "ours" };
    await expect(engine.update(definitions.sysSecretsMount, "sys/mounts/p", olds, news)).rejects.toThrow(
      /another one is there than was recorded/,
    );
    expect(writes).toEqual([]);
  });
});

describe("a list", () => {
  const html = "<html><body>not found</body></html>";
  it.each([
    [
      "that the server does not have",
      { status: 404, body: '{"errors":["1 error occurred:\\n\\t* unsupported path\\n\\n"]}' },
      /cannot list p\/keys.*set `force` to `true`/,
    ],
    [
      "for which something else is mounted",
      { status: 405, body: '{"errors":["unsupported operation"]}' },
      /cannot list p\/keys/,
    ],
    [
      "that the token may not see",
      { status: 403, body: '{"errors":["permission denied"]}' },
      /403 .*needs "list" on p\/keys/,
    ],
    [
      "of a versioned kv engine asked as another",
      { status: 404, body: '{"data":null,"warnings":["Invalid path"]}' },
      /404/,
    ],
    ["that a proxy has no page for", { status: 404, body: html }, /404.*HTML page/],
    ["that a proxy answers", { status: 200, body: html }, /HTML page/],
    ["that is no answer of this server", { status: 200, body: '{"message":"blocked"}' }, /./],
    ["of null", { status: 200, body: "null" }, /./],
    ["of nothing", { status: 200, body: "{}" }, /./],
    ["that is a list", { status: 200, body: "[]" }, /./],
    ["without a body", { status: 200, body: "" }, /./],
    ["without content", { status: 204, body: "" }, /./],
    ["without names", { status: 200, body: '{"data":{}}' }, /`keys` are no list of names \(GET p\/keys\)/],
    ["of names that are none", { status: 200, body: '{"data":{"keys":"a"}}' }, /`keys` are no list of names/],
  ])("%s is not taken for an empty one", async (_, answer, says) => {
    const { said, isGone } = await deleted("sysSecretsMount", { type: "transit" }, { "p/keys": answer });
    expect(said).toMatch(says);
    expect(isGone).toBe(false);
  });
});
