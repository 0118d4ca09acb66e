// @servers embedded vault

import { describe, expect, it, vi } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { type HostName, hostNames } from "../support/contract-host.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack, InputsRefused } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";

closeServersAfterwards();

const lockout = { lockoutThreshold: 7, lockoutDuration: "10m", lockoutCounterResetDuration: 1200 };
const shown = {
  user_lockout_threshold: 7,
  user_lockout_duration: 600,
  user_lockout_counter_reset_duration: 1200,
  user_lockout_disable: false,
};

/** An auth method of one's own that locks users out, and what the server keeps of it. */
async function openMethod(host: HostName) {
  const world = await openWorld();
  const path = world.fresh("approle");
  const raw = world.raw("secrets");
  const stack = createStack(world.host(host, "sysAuthMount"));
  const args = (more: Values = {}) => ({ path, type: "approle", ...more });
  const kept = async () => {
    const list = (await raw.call("GET sys/auth")) as { data: Record<string, { config: Values } | undefined> };
    return list.data[`${path}/`]?.config["user_lockout_config"];
  };
  const asked = () => world.traffic.seen().map(({ method, url }) => `${method} ${url.replace(path, "it")}`);
  return { world, raw, path, stack, args, kept, asked };
}

// @covers beyond: Mounts > user_lockout_config
describe.runIf(servicesUnderTest.includes("secrets")).each(hostNames)(
  "the lockout of users, on the %s host",
  (host) => {
    it("is set by the run that makes the method, which enables it and then tunes it", async () => {
      const { stack, args, kept, asked } = await openMethod(host);
      const with7 = args({ userLockoutConfig: lockout });
      expect(await stack.up(with7)).toBe("create");
      expect(await kept()).toEqual(shown);
      const writes = asked().filter((line) => line.startsWith("POST"));
      expect(writes).toEqual(["POST /v1/sys/auth/it", "POST /v1/sys/auth/it/tune"]);
      expect(await stack.preview(with7)).toEqual({ step: "same", replaces: [] });
      expect(await stack.refresh()).toBe(true);
      expect(await stack.preview(with7)).toEqual({ step: "same", replaces: [] });
    });

    it("is changed in place, each setting is reset that the program leaves out, and so is the whole", async () => {
      const { stack, args, kept } = await openMethod(host);
      await stack.up(args({ userLockoutConfig: lockout }));
      const other = args({ userLockoutConfig: { lockoutThreshold: 9, lockoutDisable: true } });
      expect((await stack.preview(other)).step).toBe("update");
      await stack.up(other);
      const [none, nines] = [0, { user_lockout_threshold: 9, user_lockout_disable: true }];
      expect(await kept()).toEqual({
        user_lockout_duration: none,
        user_lockout_counter_reset_duration: none,
        ...nines,
      });
      await stack.up(args());
      expect(await kept()).toEqual({
        user_lockout_threshold: none,
        user_lockout_duration: none,
        user_lockout_counter_reset_duration: none,
        user_lockout_disable: false,
      });
      expect(await stack.refresh()).toBe(true);
      expect(await stack.preview(args())).toEqual({ step: "same", replaces: [] });
      expect(await stack.preview(args({ userLockoutConfig: {} }))).toEqual({ step: "same", replaces: [] });
    });

    it("that somebody else changes is found and put back", async () => {
      const { stack, args, kept, raw, path } = await openMethod(host);
      const with7 = args({ userLockoutConfig: lockout });
      await stack.up(with7);
      await raw.call(`POST sys/auth/${path}/tune`, { user_lockout_config: { lockout_threshold: "3" } });
      expect(await stack.refresh()).toBe(true);
      expect(stack.entry()?.inputs["userLockoutConfig"]).toMatchObject({ lockoutThreshold: 3, lockoutDuration: "10m" });
      expect((await stack.preview(with7)).step).toBe("update");
      await stack.up(with7);
      expect(await kept()).toEqual(shown);
    });

    it("is not spoken of where neither the program nor the method has one", async () => {
      const { stack, args, kept } = await openMethod(host);
      await stack.up(args());
      await stack.up(args({ description: "tuned" }));
      expect(await kept()).toBeUndefined();
    });

    it("that cannot be set leaves the method recorded, and the next run sets it", async () => {
      const { world, stack, args, kept } = await openMethod(host);
      const with7 = args({ userLockoutConfig: lockout });
      world.traffic.strikeAll(({ method, url }) => method === "POST" && url.endsWith("/tune"), "403");
      await expect(stack.up(with7)).rejects.toThrow(/it was made without user(LockoutConfig|_lockout_config): 403/);
      expect(stack.entry()?.id).toMatch(/^sys\/auth\//);
      expect(await kept()).toBeUndefined();
      world.traffic.calm();
      stack.untaint();
      expect((await stack.preview(with7)).step).toBe("update");
      await stack.up(with7);
      expect(await kept()).toEqual(shown);
    });

    it("is refused for a type that has none, and with numbers that no server takes", async () => {
      const { stack, args, asked } = await openMethod(host);
      const reasons = async (more: Values) => {
        const error = await stack.up(args(more)).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(InputsRefused);
        return (error as InputsRefused).failures.map(({ property, reason }) => `${property} ${reason}`);
      };
      expect(await reasons({ type: "jwt", userLockoutConfig: lockout })).toEqual([
        "userLockoutConfig is only for the types approle, ldap, userpass, not jwt",
      ]);
      expect(await reasons({ userLockoutConfig: { lockoutThreshold: -1 } })).toEqual([
        expect.stringMatching(/^userLockoutConfig\.lockout(Threshold|_threshold) must be at least 0$/),
      ]);
      expect(asked().filter((line) => line.startsWith("POST"))).toEqual([]);
    });
  },
);

interface Migration {
  readonly data: { readonly migration_info: { readonly status: string } };
}

/** What the pages of mounts tell operators to do. */
describe.runIf(servicesUnderTest.includes("secrets"))("a mount that the server itself has moved", () => {
  it.each(["auth", "mounts"] as const)("is found at its new path with what is in it: sys/%s", async (list) => {
    const [prefix, type] = list === "auth" ? ["auth/", "jwt"] : ["", "aws"];
    const world = await openWorld();
    const raw = world.raw("secrets");
    const [from, to] = [world.fresh("from"), `team/${world.fresh("to")}`];
    const stack = createStack(world.host("engine", list === "auth" ? "sysAuthMount" : "sysSecretsMount"));
    await stack.up({ path: from, type, description: "before" });
    const role = `${prefix}%/${list === "auth" ? "role" : "roles"}/kept`;
    const body = { role_type: "jwt", user_claim: "sub", bound_subject: "kept", credential_type: "iam_user" };
    await raw.call(`POST ${role.replace("%", from)}`, {
      ...body,
      policy_arns: ["arn:aws:iam::aws:policy/ReadOnlyAccess"],
    });
    const accessor = stack.entry()?.outputs["accessor"];

    const move = async (here: string, there: string) => {
      const moved = await raw.call("POST sys/remount", { from: `${prefix}${here}`, to: `${prefix}${there}` });
      const { migration_id: id } = (moved as { data: { migration_id: string } }).data;
      await vi.waitFor(async () => {
        const { data } = (await raw.call(`GET sys/remount/status/${id}`)) as Migration;
        expect(data.migration_info.status).toBe("success");
      });
    };
    await move(from, to);
    const elsewhere = stack.up({ path: world.fresh("else"), type, description: "before" });
    await expect(elsewhere).rejects.toThrow(`another hand has changed its path to "${to}" since`);
    expect(stack.entry()?.outputs["path"]).toBe(from);

    expect(await stack.refresh()).toBe(true);
    expect(stack.entry()?.id).toBe(`sys/${list}/${to}`);
    expect(await stack.up({ path: to, type, description: "before" })).toBe("same");
    expect(stack.entry()?.outputs).toMatchObject({ accessor, description: "before" });
    await move(to, from);
    // Where the program wants it is where it is already.
    expect(await stack.up({ path: from, type, description: "before" })).toBe("update");
    expect(stack.entry()?.outputs).toMatchObject({ path: from, accessor });
    expect(await raw.call(`GET ${role.replace("%", from)}`)).toMatchObject({ data: {} });
    expect(world.traffic.seen().some(({ method }) => method === "DELETE")).toBe(false);
  });
});

// @covers beyond: Mounts > plugin_version
describe.runIf(servicesUnderTest.includes("secrets"))("the version of a mount's plugin", () => {
  it("that the server has chosen is no difference, and a tuning does not name it", async () => {
    const { stack, args, raw, path } = await openMethod("engine");
    await stack.up(args());
    const list = (await raw.call("GET sys/auth")) as { data: Record<string, { running_plugin_version: string }> };
    const version = list.data[`${path}/`]?.running_plugin_version;
    await raw.call(`POST sys/auth/${path}/tune`, { plugin_version: version });
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(args())).toEqual({ step: "same", replaces: [] });
    await stack.up(args({ description: "tuned" }));
    const after = (await raw.call("GET sys/auth")) as { data: Record<string, { plugin_version: string }> };
    expect(after.data[`${path}/`]?.plugin_version).toBe(version);
  });

  it("that the server does not have is an error of the server's, and nothing is made", async () => {
    const { stack, args, raw } = await openMethod("engine");
    const made = stack.up(args({ pluginVersion: "v9.9.9" }));
    await expect(made).rejects.toThrow(/400 cannot select non-builtin version of auth plugin approle/);
    expect(stack.entry()).toBeUndefined();
    const list = (await raw.call("GET sys/auth")) as { data: object };
    expect(Object.keys(list.data)).not.toContain(`${args()["path"]}/`);
  });
});
