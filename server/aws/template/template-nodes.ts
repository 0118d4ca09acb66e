/** The nodes of a template: the part of Go's text/template that usernames use. Positions are byte offsets. */
export type TemplateNode =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "output"; readonly pipe: PipeNode }
  | {
      readonly kind: "if";
      readonly pipe: PipeNode;
      readonly body: readonly TemplateNode[];
      readonly otherwise: readonly TemplateNode[];
    };

export interface PipeNode {
  readonly kind: "pipe";
  readonly at: number;
  readonly commands: readonly CommandNode[];
}

export interface CommandNode {
  readonly at: number;
  readonly operands: readonly OperandNode[];
}

export type OperandNode =
  | PipeNode
  | { readonly kind: "function"; readonly at: number; readonly name: string }
  | { readonly kind: "field"; readonly at: number; readonly names: readonly string[] }
  | { readonly kind: "dot"; readonly at: number }
  | { readonly kind: "string"; readonly at: number; readonly value: string; readonly source: string }
  | { readonly kind: "int"; readonly at: number; readonly value: number; readonly source: string }
  | { readonly kind: "bool"; readonly at: number; readonly value: boolean };

/** A node as Go prints it in its errors. */
export function nodeText(node: OperandNode | CommandNode): string {
  if ("operands" in node) return node.operands.map(operandText).join(" ");
  return node.kind === "pipe" ? node.commands.map(nodeText).join(" | ") : operandText(node);
}

function operandText(node: OperandNode): string {
  switch (node.kind) {
    case "pipe":
      return `(${nodeText(node)})`;
    case "function":
      return node.name;
    case "field":
      return node.names.map((name) => `.${name}`).join("");
    case "dot":
      return ".";
    case "bool":
      return String(node.value);
    default:
      return node.source;
  }
}
