import { Option } from "commander";

/** The flag `--state`, which commands that look at a stack share, and the flags that it cannot stand beside. */
export function stateFlag(conflicts: readonly string[]): Option {
  const text =
    "a state instead of a stack, as `pulumi stack export` or `terraform state pull` prints it; - is the standard input";
  return new Option("--state <file>", text).conflicts([...conflicts]);
}
