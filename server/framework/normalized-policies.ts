import { compareBytes } from "./go-format";

/** Policy names as Vault stores them on tokens: trimmed, lower case, sorted, no doubles; `root` stands alone. */
export function normalizedPolicies(
  names: readonly string[],
  { addDefault }: { addDefault: boolean },
): readonly string[] {
  const clean = names.map((name) => name.trim().toLowerCase()).filter((name) => name !== "");
  if (clean.includes("root")) return ["root"];
  return [...new Set(addDefault ? [...clean, "default"] : clean)].sort(compareBytes);
}
