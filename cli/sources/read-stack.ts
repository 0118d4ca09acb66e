import { type DesiredStack, desiredByPreview, desiredByState } from "../stack/desired-stack";
import type { Preview } from "../stack/preview";
import { type RecordedStack, stackOf } from "../stack/recorded-stack";
import { pulumiPreview } from "./pulumi/preview";
import { pulumiRows } from "./pulumi/state";
import { planPreview } from "./terraform/plan";
import { stateRows } from "./terraform/state";
import { terraformJson } from "./terraform/terraform-json";

/** Reads a preview of Pulumi in either format, or a plan of Terraform; undefined when the text is something else. */
export function readPreview(text: string): Preview | undefined {
  const terraform = terraformJson(text);
  if (terraform) return terraform.kind === "plan" ? planPreview(terraform) : undefined;
  return pulumiPreview(text);
}

/** Reads a state of Pulumi or of Terraform. @throws InputError when the text is not a state. */
export function recordedStack(text: string): RecordedStack {
  const terraform = terraformJson(text);
  return stackOf(terraform ? stateRows(terraform) : pulumiRows(text));
}

/** What servers will have by a preview, a plan or a state. @throws InputError for anything else, and for a preview that failed. */
export function readStack(text: string): DesiredStack {
  const preview = readPreview(text);
  return preview === undefined ? desiredByState(recordedStack(text)) : desiredByPreview(preview);
}
