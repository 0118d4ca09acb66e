import { ProviderError } from "../../../provider/core/errors";
import { parseJson } from "../../../provider/core/parse-json";
import { isRecord } from "../../../provider/core/unknowns";

/** What Terraform or OpenTofu wrote, by its kind. */
export interface TerraformJson {
  /** `state`: a state as it is kept. `shown-state` and `plan`: what `terraform show -json` prints of one. */
  readonly kind: "state" | "shown-state" | "plan";
  readonly content: Readonly<Record<string, unknown>>;
}

/**
 * Recognises what Terraform or OpenTofu wrote; undefined for anything else.
 *
 * @param content The text as JSON, where it is read already.
 * @throws InputError for what comes from them and cannot be read here; it says which command prints what can.
 */
export function terraformJson(text: string, content = parseJson(text)): TerraformJson | undefined {
  if (text.startsWith("PK\u0003\u0004")) throw refused("a saved plan in the CLI's own form", SHOW_PLAN);
  if (!isRecord(content)) {
    if (isLog(text)) throw refused("the log of a Terraform command", `save the plan with -out, then ${SHOW_PLAN}`);
    return undefined;
  }
  return terraformIn(content);
}

/** The same of JSON that is read already. */
export function terraformIn(content: TerraformJson["content"]): TerraformJson | undefined {
  if ("encrypted_data" in content)
    throw refused("encrypted by OpenTofu", "give what `tofu state pull` or, of a plan, `tofu show -json` prints");
  if ("format_version" in content) return shown(content);
  if (!("lineage" in content || "terraform_version" in content)) return undefined;
  if (content["version"] === 4) return { kind: "state", content };
  throw refused(
    `a state of Terraform in version ${shortly(content["version"])}`,
    "version 4 is read: give what `terraform state pull` prints, with Terraform 1.11 or newer, or OpenTofu",
  );
}

const SHOW_PLAN = "give what `terraform show -json <plan file>` prints";
const SHOW_STATE = "give what `terraform state pull` or `terraform show -json` prints";

function shown(content: Readonly<Record<string, unknown>>): TerraformJson {
  const format = content["format_version"];
  if (typeof format !== "string" || !/^1\./.test(format))
    throw refused(`JSON of Terraform in format ${shortly(format)}`, "format 1 is read: use Terraform 1.11 or newer");
  if ("resource_changes" in content || "planned_values" in content) return { kind: "plan", content };
  // An empty state has nothing but its versions.
  const isState = "values" in content || Object.keys(content).every((key) => /^(format|terraform)_version$/.test(key));
  if (isState) return { kind: "shown-state", content };
  throw refused("another output of Terraform", `${SHOW_STATE} of a state, or the latter of a saved plan`);
}

/** What `terraform plan -json` writes: a log, without the values of a plan. */
function isLog(text: string): boolean {
  const first = parseJson(text.slice(0, text.indexOf("\n")));
  return isRecord(first) && "@level" in first;
}

/** The state in a text that was recognised. */
export function assertState({ kind }: TerraformJson): void {
  if (kind === "plan") throw refused("a plan, and a state is needed", SHOW_STATE);
}

export function refused(what: string, todo: string): ProviderError {
  return new ProviderError("InputError", `the input is ${what}: ${todo}.`);
}

function shortly(value: unknown): string {
  return (JSON.stringify(value) ?? "(none)").slice(0, 20);
}
