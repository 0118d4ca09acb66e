import { createRequire } from "node:module";
import { expect, onTestFinished, test, vi } from "vitest";
import { dynamicProvider } from "../../provider/hosts/dynamic/dynamic-provider.ts";

// What Pulumi's own process hands to a provider: its type says nothing of the keys.
const { Config } = createRequire(__filename)("@pulumi/pulumi/cmd/dynamic-provider/config");

test("a misspelt section of the stack's configuration is refused by each class, before anything is written", async () => {
  const secrets = '{"address":"http://127.0.0.1:9","offline":true}';
  const keys = {
    "trustplane:secret": "{}",
    "trustplane:issuer": "x",
    "other:secret": "y",
    "trustplane:secrets": secrets,
  };
  const config = new Config(keys, "trustplane");
  const said: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  onTestFinished(() => write.mockRestore());
  for (const provider of [dynamicProvider("jwtRole"), dynamicProvider("sysPolicy")]) {
    await provider.configure({ config });
    await expect(provider.check({}, { wrong: true })).rejects.toThrow(
      /^the configuration trustplane:secret is not read; did you mean secrets\?$/,
    );
  }
  expect(said).toEqual([]);
});

test("a section that is like none of this package's is left to the program", async () => {
  const provider = dynamicProvider("jwtRole");
  await provider.configure({ config: new Config({ "trustplane:issuer": "x" }, "trustplane") });
  expect((await provider.check({}, { wrong: true })).failures).not.toEqual([]);
});
