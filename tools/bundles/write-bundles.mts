// A part of the build: what a host loads in one file, which starts in half of the time of several hundred.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repository } from "../steps/repository.mjs";
import { bundleProvider } from "../terraform/bundle-provider.mts";
import { bundle } from "./bundle.mts";

/** They are loaded with the first request or login, and most starts have neither. */
const LATER = ["undici", "jose", "@aws-sdk/credential-provider-node"];

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(repository, folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const { script, licences } = await bundleProvider({ apart: LATER });
write("dist/terraform", { "provider.js": script, "LICENSE-libraries.txt": licences });

// In the place of what the compiler has written: paths from outside stay as they are.
rmSync(join(repository, "dist/provider/hosts/bundled"), { recursive: true, force: true });
const hosts = await bundle({
  input: {
    "dynamic/host": join(repository, "provider/hosts/dynamic/host.ts"),
    "dynamic/function-host": join(repository, "provider/hosts/dynamic/function-host.ts"),
    "plugin/main": join(repository, "provider/hosts/plugin/main.ts"),
  },
  // Pulumi's SDK is the program's.
  external: [/^@pulumi\/pulumi/, ...LATER],
});
write("dist/provider/hosts", { ...hosts.scripts, "LICENSE-libraries.txt": hosts.licences });
