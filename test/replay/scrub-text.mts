/** What servers make up. The same value gets the same number in all runs of a stack. */
const PATTERNS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["peering-token", /\beyJ[\w+/=]{40,}/g],
  ["uuid", /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g],
  // Those of examples are always the same.
  ["access-key", /\bAKIA(?!\w*EXAMPLE)[A-Z0-9]{12,16}\b/g],
  ["user-id", /\bAIDA[A-Z0-9]{12,17}\b/g],
  ["accessor", /\b(?:auth_)?(?:jwt|oidc|aws)_[0-9a-f]{8}\b/g],
  ["parameter", /\bvar-[A-Za-z0-9]{16}\b/g],
  // The one that the server has from the start is always the same.
  ["policy-set", /\bpolset-(?!demo0)[A-Za-z0-9]{16}\b/g],
];

/** Takes what differs from run to run for placeholders. One scrubber is for all that belongs together, in its order. */
export function createTextScrubber(known: Readonly<Record<string, string>>) {
  const placeholders = new Map(Object.entries(known).map(([name, value]) => [value, `<${name}>`]));
  const counts = new Map<string, number>();

  function numbered(name: string, value: string): string {
    const before = placeholders.get(value);
    if (before !== undefined) return before;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    placeholders.set(value, `<${name}-${count}>`);
    return `<${name}-${count}>`;
  }

  function text(value: string): string {
    const ofRun = Object.entries(known).reduce((sum, [name, secret]) => sum.replaceAll(secret, `<${name}>`), value);
    return PATTERNS.reduce((sum, [name, pattern]) => sum.replace(pattern, (found) => numbered(name, found)), ofRun);
  }

  return { text, numbered };
}
