import type { Environment } from "../../engine/settings";

/** What Terraform says to every plugin that it starts: others would not know what to do with its answer. */
export const COOKIE = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";
export const PROTOCOL = 6;

/** Why this process cannot be a plugin of what has started it; undefined where it can. */
export function reasonNotToServe(env: Environment): string | undefined {
  if (env["TF_PLUGIN_MAGIC_COOKIE"] !== COOKIE) {
    return "this is a provider plugin: Terraform and OpenTofu start it themselves. See docs/terraform.md of the package";
  }
  const versions = env["PLUGIN_PROTOCOL_VERSIONS"];
  if (versions === undefined || versions.split(",").includes(String(PROTOCOL))) return undefined;
  return `this CLI does not speak version ${PROTOCOL} of the plugin protocol: Terraform 1.11 or newer is needed`;
}

/** The first line of the output, by which the CLI finds the plugin. `certificate` is that of its server, where it has one. */
export function handshakeLine(address: PluginAddress, certificate: Buffer | undefined): string {
  const parts = ["1", String(PROTOCOL), address.network, address.text, "grpc"];
  // Go's encoding without padding.
  if (certificate) parts.push(certificate.toString("base64").replaceAll("=", ""));
  return parts.join("|");
}

/** Where a plugin listens. */
export interface PluginAddress {
  readonly network: "unix" | "tcp";
  readonly text: string;
}

/** The value of TF_REATTACH_PROVIDERS with which the CLI uses a plugin that is running already. */
export function reattachText(source: string, { network, text }: PluginAddress, pid: number): string {
  const address = { Network: network, String: text };
  return JSON.stringify({
    [source]: { Protocol: "grpc", ProtocolVersion: PROTOCOL, Pid: pid, Test: true, Addr: address },
  });
}
