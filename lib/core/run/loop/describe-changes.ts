import type { Engine } from "../scope/engine";
import { type DeclaredChange, listFlowChanges } from "./list-flow-changes";

/**
 * What a fork changes in its run, for whoever approves something in it: every text in full, because an approval holds for
 * exactly what was shown. Empty for a run without changes; `path`: the node that asks, which shows its own input itself.
 */
export function describeChanges({ flow, options: { edits, forkedFlow, journal } }: Engine, path: string): string {
  const changes = [...(edits ?? [])].flatMap(([editedPath, { input, instructions, model }]) => [
    ...(input === undefined || editedPath === path ? [] : [describe(editedPath, "input", input)]),
    ...(instructions === undefined ? [] : [describe(editedPath, "instructions", instructions)]),
    ...(model === undefined ? [] : [describe(editedPath, "model", model)]),
  ]);
  const outputs = [...(journal?.listEdited() ?? [])].map((step) => describe(step.path, "output", step.output));
  const declared = forkedFlow ? listFlowChanges(forkedFlow, flow).map(describeDeclared) : [];
  if (changes.length + outputs.length + declared.length === 0) return "";
  const introduction = "\n\nThis run is a fork, with changes that this approval covers:";
  return [introduction, ...changes, ...outputs, ...declared].join("\n\n");
}

/** The messages that wait for agents of a run, each in words, for whoever approves what these do next. */
export const listMessages = ({ options: { inbox } }: Engine): string[] =>
  (inbox?.listWaiting() ?? []).map(
    ({ agent, text, by }) => `To "${agent}"${by === undefined ? "" : `, from ${by}`}:\n${text}`,
  );

function describeDeclared({ name, field, text }: DeclaredChange): string {
  const owner = name === null ? "The flow" : `"${name}"`;
  if (text !== null) return `${owner}, ${field}:\n${text}`;
  return field === "declaration" ? `${owner} is removed.` : `${owner}, ${field}: set no more.`;
}

const describe = (path: string, field: string, text: string): string => `"${path}", ${field}:\n${text}`;
