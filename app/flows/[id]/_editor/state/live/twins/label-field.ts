import type { Edit } from "@/lib/core/flow/edit";

/** The name of a text field inside a sentence, e.g. "instructions of planner". `field`: an edit that sets it. */
export function labelField(field: Edit): string {
  if (field.type === "set-var") return `variable ${field.name}`;
  if (field.type === "set-agent-field") return `${toWords(field.field)} of ${field.name}`;
  if (field.type !== "set-control-field") return "description of the flow";
  const lane = field.path.length > 2 ? ` ${field.path[1]}` : "";
  return `${toWords(field.path.at(-1) ?? "text")} of ${field.name}${lane}`;
}

const toWords = (key: string): string => key.replaceAll("_", " ");
