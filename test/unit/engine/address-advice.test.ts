import { describe, expect, it } from "vitest";
import { createEngine } from "../../../provider/engine/engine";
import { definitions } from "../../../provider/resources";
import { serve } from "../../support/loopback-server";

/** What a user reads who creates a role with this configuration and this environment. */
async function message(secrets: object, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const text = JSON.stringify({ maxRetries: 0, ...secrets });
  const engine = createEngine({ config: (key) => (key === "secrets" ? text : undefined), env, log: () => {} });
  const inputs = { mount: "jwt", name: "ci", roleType: "jwt", userClaim: "sub" };
  return engine.create(definitions.jwtRole, inputs).then(JSON.stringify, (error: Error) => error.message);
}

describe("an address that does not work", () => {
  it("is said to be the default where nobody has set one", async () => {
    const advice =
      "No address is set, so this is the default: set BAO_ADDR or VAULT_ADDR, or trustplane:secrets.address.";
    expect(await message({})).toContain(`https://127.0.0.1:8200 (GET /v1/sys/auth): the connection was refused`);
    expect(await message({})).toContain(advice);
    const closed = "http://127.0.0.1:9";
    expect(await message({}, { VAULT_ADDR: closed })).not.toContain("default");
    expect(await message({ address: closed })).not.toContain("default");
  });

  it("of https for a port without TLS names what to change", async () => {
    const { origin } = await serve((_, response) => response.end("{}"));
    expect(await message({ address: origin.replace("http:", "https:") })).toContain(
      "the server does not speak TLS on this port. Write http:// in the address, or the port for https.",
    );
  });
});
