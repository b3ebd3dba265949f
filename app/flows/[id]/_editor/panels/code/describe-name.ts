import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { membersOf } from "@/lib/core/kinds/registry";

const mostShown = 160;
const clip = (text: string): string => (text.length > mostShown ? `${text.slice(0, mostShown - 1)}…` : text);

export function describeName(flow: Flow, name: string): string[] {
  const declaration = findDeclaration(flow, name);
  if (!declaration) return ["This name is not declared."];
  if (declaration.type !== "agent") {
    const kind = "mode" in declaration ? `${declaration.mode} ${declaration.type}` : declaration.type;
    return [kind[0]?.toUpperCase() + kind.slice(1), clip(`Members: ${membersOf(declaration).join(", ") || "none"}`)];
  }
  const { model, description, instructions, tools } = declaration;
  return [
    `Agent, ${model ?? "no model yet"}`,
    ...(tools.length > 0 ? [clip(`Tools: ${tools.join(", ")}`)] : []),
    ...(description ? [clip(description)] : instructions ? [clip(instructions)] : []),
  ];
}
