import { isProviderError } from "../../../provider/core/errors";
import type { Finding } from "../../facts/lint/lint";
import { marked } from "../../facts/map/add-marks";
import { graphOf } from "../../facts/map/make-map";
import { around } from "../../facts/map/narrowed";
import { placedRecords } from "../../facts/map/placed-records";
import { lintedSteps } from "../../stack/desired-stack";
import type { Preview } from "../../stack/preview";
import { codeBlock } from "../../text/markdown";
import { mermaidText } from "../map/mermaid";
import type { Section } from "./fitted";

/** Larger ones are no longer read. The forges draw up to 50,000 characters. */
const LONGEST_MAP = 20_000;
/** To fold more takes long. */
const MOST_NODES = 5000;

const TOO_LARGE = "It is too large for a comment: `trustplane map` draws it.";

/** The part of the map that a preview changes, as it will be: what changes is marked, with all that it has to do with. */
export function changedMapSection(preview: Preview, findings: readonly Finding[]): Section {
  const rest = () => "It has no room here: `trustplane map` draws it.";
  return { title: "**The changed part of the map**", lines: linesOf(preview, findings), most: 1, gap: "\n", rest };
}

function linesOf({ steps, same }: Preview, findings: readonly Finding[]): readonly string[] {
  const changed = new Set(steps.filter(({ isBookkeepingOnly }) => !isBookkeepingOnly).map(({ urn }) => urn));
  try {
    const records = placedRecords(lintedSteps([...steps, ...same]));
    const graph = graphOf(records);
    const nodes = marked(graph.nodes(), records, { findings, drift: undefined });
    const changedNodes = nodes
      .filter(({ resources }) => resources.some(({ urn }) => changed.has(urn)))
      .map(({ id }) => id);
    if (changedNodes.length === 0) return [];
    const map = around(
      { format: "trustplane-trust-map/1", nodes, edges: graph.edges(), leftOut: [] } as const,
      changedNodes,
    );
    if (map.nodes.length > MOST_NODES) return [TOO_LARGE];
    const text = mermaidText(map, new Set(changedNodes));
    return [text.length > LONGEST_MAP ? TOO_LARGE : codeBlock(text.trimEnd(), "mermaid")];
  } catch (error) {
    // A comment is written in any case.
    if (isProviderError(error)) return [TOO_LARGE];
    throw error;
  }
}
