// A part of the build: the provider for Terraform in one file, which starts in half of the time of several hundred.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../steps/repository.mjs";
import { bundleProvider } from "./bundle-provider.mts";

const folder = join(repository, "dist/terraform");
const { script, licences } = await bundleProvider();
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "provider.js"), script);
writeFileSync(join(folder, "LICENSE-libraries.txt"), licences);
