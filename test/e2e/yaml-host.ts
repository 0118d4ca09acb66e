import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { isLiveBinaryThere, liveBinaryPath } from "../../tools/live/live-binaries.mts";
import { existingPulumiCli } from "../../tools/pulumi/ensure-pulumi-cli.mjs";

/** The name by which the CLI looks for Pulumi's host of programs in YAML: beside itself, then on PATH. */
const host = "pulumi-language-yaml";
const folders = [dirname(existingPulumiCli().command ?? ""), ...(process.env["PATH"] ?? "").split(delimiter)];
const isBroughtAlong = folders.some((folder) => existsSync(join(folder, host)));

/** Whether programs in YAML can run: a released CLI brings the host, and the live run builds it for one that does not. */
export const isYamlHostThere = isBroughtAlong || isLiveBinaryThere("pulumi-yaml");

/** The variables with which the CLI finds the host. `close` removes what they name. */
export function openYamlHost(): { readonly env: Readonly<Record<string, string>>; close(): void } {
  if (isBroughtAlong) return { env: {}, close() {} };
  const folder = mkdtempSync(join(tmpdir(), "trustplane-yaml-host-"));
  symlinkSync(liveBinaryPath("pulumi-yaml"), join(folder, host));
  const path = [folder, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  return { env: { PATH: path }, close: () => rmSync(folder, { recursive: true }) };
}
