import { ProviderError } from "../../provider/core/errors";
import { parseJson } from "../../provider/core/parse-json";
import { type DesiredStack, desired } from "../stack/desired-stack";
import { assertSomeOurs } from "../stack/not-compared";
import type { Preview } from "../stack/preview";
import { type StackState, stateOf } from "../stack/state";
import { pulumiPreview } from "./pulumi/preview";
import { pulumiRows } from "./pulumi/state";
import { planPreview } from "./terraform/plan";
import { stateRows } from "./terraform/state";
import { refused, terraformJson } from "./terraform/terraform-json";

/** Reads a preview of Pulumi in either format, or a plan of Terraform; undefined when the text is something else. */
export function readPreview(text: string, json = parseJson(text)): Preview | undefined {
  const terraform = terraformJson(text, json);
  if (terraform) return terraform.kind === "plan" ? planPreview(terraform) : undefined;
  return pulumiPreview(text, json);
}

/** Reads a state of Pulumi or of Terraform. @throws InputError when the text is not a state. */
export function readState(text: string, json = parseJson(text)): StackState {
  const state = stateIn(text, json);
  if (state) return state;
  if (pulumiPreview(text, json)) throw refused("a preview, and a state is needed", `give what ${STATES}`);
  throw new ProviderError("InputError", `this is no state of a stack: give what ${STATES}.`);
}

const STATES = "`pulumi stack export` or `terraform state pull` prints, or a terraform.tfstate";
const PREVIEWS = "`pulumi preview --json`, or `terraform show -json` of a saved plan, prints";

function stateIn(text: string, json: unknown): StackState | undefined {
  const terraform = terraformJson(text, json);
  const rows = terraform ? stateRows(terraform) : pulumiRows(json);
  return rows && stateOf(rows);
}

interface StackText {
  readonly text: string;
  /** A state will not do. */
  readonly isPreview?: boolean;
  /** What servers have, which may be nothing. */
  readonly isLive?: boolean;
}

/** Reads a preview or a state. @throws InputError for anything else, for a state where only a preview will do, and for an empty one. */
export function stackIn({ text, isPreview = false, isLive = false }: StackText): Preview {
  const json = parseJson(text);
  const preview = readPreview(text, json);
  if (preview) return preview;
  if (isPreview) throw new ProviderError("InputError", `this is no preview: give what ${PREVIEWS}.`);
  const state = stateIn(text, json);
  if (state && !isLive) assertSomeOurs("state", state.same.length, state.others);
  if (state) return state;
  const ways = `${STATES}, or what ${PREVIEWS}`;
  throw new ProviderError("InputError", `this is no state of a stack and no preview: give what ${ways}.`);
}

/** What servers will have by a preview, a plan or a state. @throws InputError for anything else, and for a preview that failed. */
export function readStack(text: string): DesiredStack {
  return desired(stackIn({ text }));
}

/** The preview of a comment; undefined for what a tool that failed has printed. @throws InputError for a state */
export function previewIn(text: string): Preview | undefined {
  const json = parseJson(text);
  const preview = readPreview(text, json);
  if (preview || json === undefined || !stateIn(text, json)) return preview;
  throw refused("a state, and a preview or a drift report is needed", `give what ${PREVIEWS}`);
}
