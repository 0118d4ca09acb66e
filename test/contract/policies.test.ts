// @servers embedded vault

import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { hostNames } from "../support/contract-host.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";

closeServersAfterwards();

const rules = [{ path: "secret/data/ci/*", capabilities: ["read"] }];

describe.each(hostNames)("a policy, through the %s host", (host) => {
  async function opened(settings: Values = {}) {
    const world = await openWorld();
    return { world, raw: world.raw("secrets"), stack: createStack(world.host(host, "sysPolicy", settings)) };
  }
  const textIn = (answer: unknown) => (answer as { data: { policy: string } }).data.policy;

  // @covers beyond: Policies > policies of the server's own
  it("that the server does not delete is forgotten, and stays as it is", async () => {
    const { world, raw, stack } = await opened({ takeOver: "always" });
    const more = `path "${world.fresh("more")}" { capabilities = ["read"] }`;
    const text = `${textIn(await raw.call("GET sys/policies/acl/default"))}\n${more}\n`;
    await stack.up({ name: "Default", policy: text });
    await stack.destroy();
    expect(stack.entry()).toBeUndefined();
    expect(textIn(await raw.call("GET sys/policies/acl/default"))).toBe(text);
  });

  it("goes from rules to a text that means the same without a write, and back", async () => {
    const { world, raw, stack } = await opened();
    const name = world.fresh("policy");
    await stack.up({ name, rules });
    const text = textIn(await raw.call(`GET sys/policies/acl/${name}`));
    expect(text).toBe('path "secret/data/ci/*" {\n  capabilities = ["read"]\n}\n');
    expect(await stack.preview({ name, policy: `# the same\n${text}` })).toEqual({ step: "same", replaces: [] });
    expect(await stack.preview({ name: name.toUpperCase(), rules })).toEqual({ step: "same", replaces: [] });
  });

  it("is no drift where only a comment was added by hand, and drift where a capability was", async () => {
    const { world, raw, stack } = await opened();
    const name = world.fresh("policy");
    await stack.up({ name, rules });
    const text = textIn(await raw.call(`GET sys/policies/acl/${name}`));
    await raw.call(`POST sys/policies/acl/${name}`, { policy: `// by hand\n${text}` });
    await stack.refresh();
    expect(await stack.preview({ name, rules })).toEqual({ step: "same", replaces: [] });
    await raw.call(`POST sys/policies/acl/${name}`, { policy: text.replace('"read"', '"read", "sudo"') });
    await stack.refresh();
    expect(await stack.preview({ name, rules })).toEqual({ step: "update", replaces: [] });
    await stack.up({ name, rules });
    expect(textIn(await raw.call(`GET sys/policies/acl/${name}`))).toBe(text);
  });

  it("is previewed while its text is not known", async () => {
    const { world, stack } = await opened();
    const name = world.fresh("policy");
    expect(await stack.preview({ name, policy: UNKNOWN })).toEqual({ step: "create", replaces: [] });
    await stack.up({ name, rules });
    const unknown = [{ path: UNKNOWN, capabilities: ["read"] }];
    expect(await stack.preview({ name, rules: unknown })).toEqual({ step: "update", replaces: [] });
  });
});
