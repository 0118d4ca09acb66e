import { typeText } from "./schema-section";

/** A function as the answer to `GetProviderSchema` has it. */
export interface AnsweredFunction {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly AnsweredParameter[];
  readonly variadicParameter?: AnsweredParameter;
  readonly return: { readonly type: Uint8Array };
}

interface AnsweredParameter {
  readonly name: string;
  readonly type: Uint8Array;
  readonly description?: string;
}

/** How a function is called, and what it takes. */
export function functionSections(name: string, shown: AnsweredFunction): string[] {
  const { parameters = [], variadicParameter } = shown;
  const each = parameters.map((one) => `${one.name} ${typeIn(one.type)}`);
  const all = variadicParameter ? [...each, `${variadicParameter.name} ${typeIn(variadicParameter.type)}...`] : each;
  const rows = [...parameters, ...(variadicParameter ? [variadicParameter] : [])].map((one, index) =>
    `${index + 1}. \`${one.name}\` (${typeIn(one.type)}) ${one.description ?? ""}`.trimEnd(),
  );
  return [
    `## Signature\n\n\`\`\`text\n${name}(${all.join(", ")}) ${typeIn(shown.return.type)}\n\`\`\``,
    ...(rows.length === 0 ? [] : [`## Arguments\n\n${rows.join("\n")}`]),
  ];
}

function typeIn(type: Uint8Array): string {
  return typeText(JSON.parse(Buffer.from(type).toString())).toLowerCase();
}
