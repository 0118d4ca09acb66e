import { changeInWords, type Words, wordsFor } from "../../stack/attribute-words";
import type { DriftReport, PropertyDrift, ResourceReport } from "./report";

/** A report in the words of the users of its resources. */
export function reportInWords(report: DriftReport): DriftReport {
  return { ...report, resources: report.resources.map(resourceInWords) };
}

function resourceInWords(report: ResourceReport): ResourceReport {
  const words = wordsFor(report.urn);
  return {
    ...report,
    properties: report.properties.map((drift) => propertyInWords(words, drift)),
    writeOnly: report.writeOnly.map((value) => ({
      ...value,
      property: words.path(value.property),
      reason: words.text(value.reason),
      ...(value.witness === undefined ? {} : { witness: words.path(value.witness) }),
    })),
    ...(report.error === undefined ? {} : { error: words.text(report.error) }),
  };
}

function propertyInWords(words: Words, drift: PropertyDrift): PropertyDrift {
  const { property, changes } = drift;
  return {
    ...drift,
    property: words.path(property),
    changes: changes.map((change) => changeInWords(words, change)),
    ...("expected" in drift ? { expected: words.value(property, drift.expected) } : {}),
    ...("actual" in drift ? { actual: words.value(property, drift.actual) } : {}),
  };
}
