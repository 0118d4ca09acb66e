/** The oldest Node.js that runs this package; `engines` in package.json says the same. */
export const OLDEST_NODE = "22.19";

/**
 * Why this Node.js cannot run the package, or undefined when it can. To be asked before anything else is loaded: packages
 * that an older Node.js cannot load end with a stack trace.
 */
export function unsupportedNode(running: {
  readonly versions: { readonly node: string };
  readonly execPath: string;
}): string | undefined {
  const [major = 0, minor = 0] = numbersIn(running.versions.node);
  const [oldestMajor = 0, oldestMinor = 0] = numbersIn(OLDEST_NODE);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  const found = `${running.execPath} is ${running.versions.node}`;
  return `trustplane needs Node.js ${OLDEST_NODE} or newer, but ${found}: put a newer node first on PATH`;
}

function numbersIn(version: string): number[] {
  return version.split(".").map(Number);
}
