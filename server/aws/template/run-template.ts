import { parseTemplate } from "./parse-template";
import { type TemplateFunction, templateFunctions } from "./template-functions";
import { type CommandNode, nodeText, type OperandNode, type PipeNode, type TemplateNode } from "./template-nodes";
import { isTrue, kindOf, type TemplateValue } from "./template-value";

export interface TemplateRun {
  readonly fields: Readonly<Record<string, string>>;
  /** The Go type of the fields, which errors name. */
  readonly typeName: string;
  readonly now: Date;
}

/** A username template made ready. @throws TemplateFailure, see `parseTemplate`. */
export function createTemplate(source: string): (run: TemplateRun) => string {
  const nodes = parseTemplate(source);
  return (run) => textOf(nodes, { ...run, source });
}

interface Running extends TemplateRun {
  readonly source: string;
}

function textOf(nodes: readonly TemplateNode[], run: Running): string {
  return nodes
    .map((node): string => {
      if (node.kind === "text") return node.text;
      const value = pipeValue(node.pipe, run);
      if (node.kind === "output") return String(value);
      return textOf(isTrue(value) ? node.body : node.otherwise, run);
    })
    .join("");
}

function pipeValue(pipe: PipeNode, run: Running): TemplateValue {
  let value: TemplateValue | undefined;
  for (const command of pipe.commands) value = commandValue(command, { run, piped: value });
  // A pipe has a command, or it would not have been parsed.
  return value as TemplateValue;
}

interface Call {
  readonly run: Running;
  /** The value of the command before, which becomes the last operand. */
  readonly piped: TemplateValue | undefined;
}

function commandValue(command: CommandNode, call: Call): TemplateValue {
  const [head, ...operands] = command.operands;
  if (head === undefined) throw new Error("a command without operands");
  if (head.kind === "function") return functionValue(head, { ...call, command, operands });
  if (operands.length > 0 || call.piped !== undefined) {
    if (head.kind === "field") {
      throw failure(head, `${head.names.at(-1)} has arguments but cannot be invoked as function`, call.run);
    }
    const text = `can't give argument to non-function ${nodeText(head)}`;
    throw failure(head.kind === "pipe" ? command : head, text, call.run);
  }
  return operandValue(head, call.run);
}

interface FunctionCall extends Call {
  readonly command: CommandNode;
  readonly operands: readonly OperandNode[];
}

function functionValue(
  head: Extract<OperandNode, { kind: "function" }>,
  { command, operands, piped, run }: FunctionCall,
): TemplateValue {
  const called = templateFunctions[head.name];
  if (called === undefined) throw new Error(`no function ${head.name}`);
  assertCount(head, { called, count: operands.length + (piped === undefined ? 0 : 1), run });
  const values: TemplateValue[] = [];
  for (const [at, operand] of operands.entries()) {
    const value = parameterValue(operand, { type: parameterAt(called, at), run });
    const decides = (head.name === "and" && !isTrue(value)) || (head.name === "or" && isTrue(value));
    if (decides) return value;
    values.push(value);
  }
  if (piped !== undefined) {
    const type = parameterAt(called, values.length);
    if (type !== "any" && kindOf(piped) !== type) {
      throw failure(operands.at(-1) ?? head, `wrong type for value; expected ${type}; got ${kindOf(piped)}`, run);
    }
    values.push(piped);
  }
  try {
    return called.call(values, run.now);
  } catch (error) {
    throw failure(command, `error calling ${head.name}: ${error instanceof Error ? error.message : error}`, run);
  }
}

function assertCount(
  head: Extract<OperandNode, { kind: "function" }>,
  { called, count, run }: { called: TemplateFunction; count: number; run: Running },
): void {
  const { parameters, isVariadic = false } = called;
  const least = isVariadic ? parameters.length - 1 : parameters.length;
  if (isVariadic ? count >= least : count === least) return;
  const wanted = isVariadic ? `at least ${least}` : String(least);
  throw failure(head, `wrong number of args for ${head.name}: want ${wanted} got ${count}`, run);
}

function parameterAt({ parameters }: TemplateFunction, at: number): "int" | "string" | "any" {
  return parameters[at] ?? parameters.at(-1) ?? "any";
}

function parameterValue(
  operand: OperandNode,
  { type, run }: { type: "int" | "string" | "any"; run: Running },
): TemplateValue {
  const value = operandValue(operand, run);
  if (type === "any" || kindOf(value) === type) return value;
  const isLiteral = operand.kind === "string" || operand.kind === "int" || operand.kind === "bool";
  const found = `found ${nodeText(operand)}`;
  throw failure(
    operand,
    isLiteral
      ? `expected ${type === "int" ? "integer" : "string"}; ${found}`
      : `wrong type for value; expected ${type}; got ${kindOf(value)}`,
    run,
  );
}

function operandValue(operand: OperandNode, run: Running): TemplateValue {
  switch (operand.kind) {
    case "pipe":
      return pipeValue(operand, run);
    case "function":
      return functionValue(operand, {
        run,
        piped: undefined,
        command: { at: operand.at, operands: [operand] },
        operands: [],
      });
    case "field":
      return fieldValue(operand, run);
    case "dot":
      // What Go prints for the fields' struct.
      return `{${Object.values(run.fields).join(" ")}}`;
    default:
      return operand.value;
  }
}

function fieldValue(operand: Extract<OperandNode, { kind: "field" }>, run: Running): string {
  const [name = "", next] = operand.names;
  const value = run.fields[name];
  if (value === undefined) throw failure(operand, `can't evaluate field ${name} in type ${run.typeName}`, run);
  if (next !== undefined) {
    // Go points at the second step.
    const at = operand.at + 1 + name.length;
    throw failure({ ...operand, at }, `can't evaluate field ${next} in type string`, run);
  }
  return value;
}

function failure(node: OperandNode | CommandNode, text: string, { source }: Running): Error {
  const before = source.slice(0, node.at);
  const line = before.split("\n").length;
  const column = Buffer.byteLength(before.slice(before.lastIndexOf("\n") + 1));
  return new Error(
    `unable to apply template: template: template:${line}:${column}: executing "template" at <${nodeText(node)}>: ${text}`,
  );
}
