import type { Definition, Members } from "../../provider/core/definition";
import { addressProperties } from "../../provider/core/move";
import { takeOverRow } from "../../provider/core/tenant";
import { named, secretText } from "./property-table";

/** What a refresh and a drift report can see of a resource, and what they cannot. */
export function driftSection(definition: Definition): string {
  const { members } = definition;
  const sentences = members
    ? [...recordSentences(members), ...sentencesOf({ ...members.of, outputs: definition.outputs })]
    : sentencesOf(definition);
  return `## What drift detection sees\n\n${sentences.join("\n")}`;
}

/** What is different from single records. */
function recordSentences({ property }: Members): string[] {
  return [
    `* Each record is compared, with the defaults under its own settings. A difference has its path, such as \`${property}.ci\` or \`${property}["ci-main"]\`, then the property.`,
    "* A record that the program does not name is drift where the set is `exclusive` and `ignore` does not name it.",
  ];
}

function sentencesOf(definition: Definition): string[] {
  const { outputs, secretOutputs, broken } = definition;
  const compared = comparedProperties(definition);
  const unseen = unseenProperties(definition);
  const address = addressProperties(definition);
  const passing = [...address, ...Object.keys(takeOverRow)];
  const kept = Object.keys(definition.fields).filter((name) => isKept(definition, name) && !passing.includes(name));
  return [
    compared.length === 0
      ? "* The server shows nothing of what the program writes."
      : "* Every property that is not named below is compared with the server's value. A property that the program leaves out is compared with the server's default.",
    ...unseen.map((each) => `* Not seen, because the server never shows it: ${each}. A change in the program is seen.`),
    kept.length === 0 ? "" : `* Not compared, because the server does not have it: ${named(kept)}.`,
    broken === undefined
      ? ""
      : `* A record that needs a repair is seen, and the next update repairs it: ${reasons(definition)}.`,
    witnesses(Object.keys(outputs).filter((name) => !secretOutputs.includes(name))),
    secretOutputs.length === 0
      ? ""
      : `* Shown once, when it is issued, and kept in the state as a secret: ${named(secretOutputs)}.`,
    gone(definition),
  ].filter(Boolean);
}

/** The definitions that talk to the server: a pair's are its two parts. */
function propertyOnServer({ parts, fields }: Definition, name: string) {
  if (!parts) return { of: undefined, name, field: fields[name] };
  const of = parts.issuerFields[name] === undefined ? parts.taker : parts.issuer;
  const partName = parts.issuerFields[name] ?? parts.takerFields[name] ?? name;
  return { of, name: partName, field: of.fields[partName] };
}

function isKept(definition: Definition, name: string): boolean {
  return propertyOnServer(definition, name).field?.place === "local";
}

function isWriteOnly(definition: Definition, name: string): boolean {
  const { of = definition, name: own } = propertyOnServer(definition, name);
  return of.writeOnly.includes(own);
}

function comparedProperties(definition: Definition): string[] {
  const address = addressProperties(definition);
  return Object.keys(definition.fields).filter((name) => {
    const { field } = propertyOnServer(definition, name);
    return field?.place === "body" && !address.includes(name) && !isWriteOnly(definition, name);
  });
}

function unseenProperties(definition: Definition): string[] {
  const { fields, secrets, writeOnly } = definition;
  const names = Object.keys(fields).filter((name) => isWriteOnly(definition, name));
  const sometimes = Object.entries(secrets).flatMap(([name, rule]) => {
    if (rule === undefined || rule === "always" || writeOnly.includes(name)) return [];
    return ["flag" in rule ? `\`${name}\`${secretText(rule)}` : `${named(rule.members)} of \`${name}\``];
  });
  return [...(names.length === 0 ? [] : [named(names)]), ...sometimes];
}

function reasons({ outputs, broken }: Definition): string {
  const names = Object.keys(outputs).filter((name) => broken?.({ [name]: true }).length);
  return names.length === 0 ? "it is another record than the one that was made" : named(names);
}

function witnesses(names: readonly string[]): string {
  return names.length === 0 ? "" : `* Read with every refresh, so a change is seen: ${named(names)}.`;
}

function gone({ delete: remove, dialect }: Definition): string {
  if (remove === "forget")
    return "* When the mount is gone, the configuration is gone, too. The next update makes it again.";
  return dialect === "tfe"
    ? "* When the record is gone, the next update makes it again. A policy set that cannot be read is an error: perhaps the token has only lost a permission."
    : "* When the record is gone, the next update makes it again. A refused request is an error; it never counts as gone.";
}
