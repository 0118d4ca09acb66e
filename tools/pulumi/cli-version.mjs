// @ts-check

/** The version that this project installs or builds when the machine has none. Newer ones cannot be built from Go modules. */
export const pinnedVersion = "3.250.0";

/** The oldest CLI that is taken from the machine: nothing older was ever run with these tests, and a wrong answer is worse than five minutes. */
const oldestVersion = "3.250.0";

/**
 * Whether a CLI that the machine already has may be used: not older than what the tests were run with, and of the same major.
 * @param {string} version as `pulumi version` prints it
 */
export function isUsableVersion(version) {
  const found = numbersOf(version);
  const [oldest, ...rest] = numbersOf(oldestVersion) ?? [];
  if (!found || oldest === undefined) return false;
  const [minor, patch] = rest;
  return found[0] === oldest && (found[1] - Number(minor) || found[2] - Number(patch)) >= 0;
}

/**
 * @param {string} version
 * @returns {[number, number, number] | undefined}
 */
function numbersOf(version) {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version.trim());
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}

/** Why a CLI was passed over, in the words of a person. @param {string} version */
export const tooOld = (version) =>
  `is ${version || "of an unknown version"}; ${oldestVersion} or newer (and 3.x) is needed`;
