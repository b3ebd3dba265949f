import { printFlow } from "@/lib/core/dsl/print";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { membersOf } from "@/lib/core/kinds/registry";
import type { FormField } from "./form-field";
import { describeKind, findKindView } from "./registry";

export interface NodeFact {
  label: string;
  text: string;
  /** Of several lines. */
  isLong?: boolean;
}

/** A node to read: its kind, and what it is set to, in the order of its form. */
export function describeNode(flow: Flow, name: string): { kind: string; facts: NodeFact[] } {
  const declaration = findDeclaration(flow, name);
  if (!declaration) return { kind: "Unknown", facts: [] };
  const mode = "mode" in declaration ? String(declaration.mode) : undefined;
  const fields = findKindView(declaration.type)?.toForm(declaration) ?? [];
  const facts = fields.flatMap(toFact).filter(({ text }) => text !== "");
  const agent = flow.agents.get(name);
  if (agent && agent.tools.length > 0) facts.push({ label: "Tools", text: agent.tools.join(", ") });
  const members = membersOf(declaration);
  if (members.length > 0 && !fields.some(({ type }) => type === "lane"))
    facts.push({ label: "Members", text: members.join(", ") });
  return { kind: describeKind({ type: declaration.type, mode }).label, facts };
}

function toFact(field: FormField): NodeFact[] {
  switch (field.type) {
    case "model":
      return [{ label: "Model", text: field.written ?? field.value ?? "" }];
    case "line":
    case "text":
    case "condition":
      return [{ label: field.label, text: field.value }];
    case "area":
    case "prompt":
      return [{ label: field.label, text: field.value, isLong: true }];
    case "number":
      return [{ label: field.label, text: field.written ?? String(field.value ?? field.placeholder) }];
    case "select":
      return [{ label: field.label, text: field.options.find(({ value }) => value === field.value)?.label ?? "" }];
    case "lane":
      return [{ label: field.label, text: field.flow ? printFlow(field.flow) : "lets the text through" }];
    default:
      return [];
  }
}
