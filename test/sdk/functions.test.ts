import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { FunctionDefinition } from "../../provider/core/function";
import { functions } from "../../provider/functions";
import * as trustplane from "../../sdk";

const provider = vi.hoisted(() => ({
  call: vi.fn(async (_name: string, _args: object): Promise<object> => ({ name: "answered" })),
  check: vi.fn(async (_name: string, _args: object): Promise<void> => {}),
}));
vi.mock("trustplane/dynamic/functions", () => provider);

type Plain = (args: object, opts?: object) => Promise<unknown>;
type Lifted = (args: object, opts?: object) => pulumi.Output<{ name: string }>;

const all = Object.entries<FunctionDefinition>(functions);
const issuing = all.filter(([, { issues }]) => issues);
const reading = all.filter(([, { issues }]) => !issues);

/** The two forms of a function of the SDK. */
function formsOf({ token }: FunctionDefinition): { plain: Plain; lifted: Lifted } {
  const [module = "", name = ""] = token.split(":");
  const found: unknown = Reflect.get(trustplane, module);
  const member = (key: string) => Reflect.get(Object(found), key);
  return { plain: member(name), lifted: member(`${name}Output`) };
}

/** What Pulumi would do with an Output. */
async function shown(output: pulumi.Output<unknown>) {
  const { isKnown, promise } = output as unknown as { isKnown: Promise<boolean>; promise(): Promise<unknown> };
  return { isKnown: await isKnown, isSecret: await pulumi.isSecret(output), value: await promise() };
}

const unknown = () => pulumi.output(pulumi.unknown);

async function begin({ preview }: { preview: boolean }): Promise<void> {
  const mocks = { newResource: ({ name, id }: { name: string; id?: string }) => ({ id: id ?? name, state: {} }) };
  await pulumi.runtime.setMocks({ ...mocks, call: () => ({}) }, "story", "dev", preview);
}

beforeEach(() => {
  vi.clearAllMocks();
});

test.each(all)("%s has both forms", (_, definition) => {
  expect(formsOf(definition)).toEqual({ plain: expect.any(Function), lifted: expect.any(Function) });
});

describe("during an update", () => {
  beforeEach(() => begin({ preview: false }));

  test.each(all)("%s asks the provider in both forms", async (name, definition) => {
    const { plain, lifted } = formsOf(definition);

    expect(await plain({ mount: "m" })).toEqual({ name: "answered" });
    const isSecret = definition.secretResults.length > 0;
    const output = lifted({ mount: pulumi.output("m") });
    expect(await shown(output)).toEqual({ isKnown: true, isSecret, value: { name: "answered" } });
    expect(await shown(output.name)).toEqual({ isKnown: true, isSecret, value: "answered" });

    expect(provider.call.mock.calls).toEqual([
      [name, { mount: "m" }],
      [name, { mount: "m" }],
    ]);
  });

  // @covers jwt: Request of a login > jwt
  test("the result of a secret argument is a secret", async () => {
    const output = trustplane.jwt.getRoleOutput({ name: pulumi.secret("ci") });
    expect((await shown(output)).isSecret).toBe(true);
  });

  test("a failure is one that Pulumi prints without its stack, and programs see what it is", async () => {
    provider.call.mockRejectedValue(Object.assign(new Error("calling: 404"), { code: "ApiError", status: 404 }));
    const failed = await trustplane.jwt.getRoles().catch((error: unknown) => error);
    expect(pulumi.RunError.isInstance(failed)).toBe(true);
    expect(failed).toMatchObject({ message: "calling: 404", code: "ApiError", status: 404 });
    provider.call.mockResolvedValue({ name: "answered" });
  });
});

describe("in a preview", () => {
  beforeEach(() => begin({ preview: true }));

  test.each(reading)("%s reads", async (_, definition) => {
    expect(await formsOf(definition).plain({})).toEqual({ name: "answered" });
    expect(await shown(formsOf(definition).lifted({}))).toMatchObject({ isKnown: true, value: { name: "answered" } });
  });

  // @covers jwt: Endpoints > POST auth/{mount}/oidc/auth_url
  // @covers cloud: Endpoints > GET {mount}/creds/{name}
  test.each(issuing)(
    "%s issues nothing: its arguments are checked, its result is unknown",
    async (name, definition) => {
      const { plain, lifted } = formsOf(definition);
      const title = definition.token.replace(":", ".");

      expect((await shown(lifted({ mount: "m" }).name)).isKnown).toBe(false);
      await expect(plain({ mount: "m" })).rejects.toThrow(
        `${title} has the server issue something, which a preview must not. Use ${title}Output`,
      );

      expect(provider.call).not.toHaveBeenCalled();
      expect(provider.check.mock.calls).toEqual([[name, { mount: "m" }]]);
    },
  );

  test.each(all)("%s with an unknown argument is unknown, and asks nothing", async (_, definition) => {
    const output = formsOf(definition).lifted({ mount: unknown() });
    expect((await shown(output)).isKnown).toBe(false);
    expect(provider.call).not.toHaveBeenCalled();
    expect(provider.check).not.toHaveBeenCalled();
  });

  test("what waits for a resource that is still to be made is unknown", async () => {
    class Thing extends pulumi.CustomResource {
      constructor(name: string, id: string | undefined) {
        super("test:index:Thing", name, {}, id === undefined ? {} : { id });
      }
    }
    const made = new Thing("made", "id");
    const planned = new Thing("planned", undefined);
    Object.assign(planned, { id: unknown() });
    const { getRoleOutput } = trustplane.jwt;

    expect((await shown(getRoleOutput({ name: "a" }, { dependsOn: [made, planned] }))).isKnown).toBe(false);
    expect((await shown(getRoleOutput({ name: planned.urn }))).isKnown).toBe(false);
    expect((await shown(getRoleOutput({ name: made.urn }, { dependsOn: made }))).isKnown).toBe(true);
  });
});
