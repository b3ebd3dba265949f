import type { Engine } from "../scope/engine";

/**
 * What a fork changes in its run, for whoever approves something in it: every text in full, because an approval holds for
 * exactly what was shown. Empty for a run without changes; `path`: the node that asks, which shows its own input itself.
 */
export function describeChanges({ options: { edits, journal } }: Engine, path: string): string {
  const changes = [...(edits ?? [])].flatMap(([editedPath, { input, instructions, model }]) => [
    ...(input === undefined || editedPath === path ? [] : [describe(editedPath, "input", input)]),
    ...(instructions === undefined ? [] : [describe(editedPath, "instructions", instructions)]),
    ...(model === undefined ? [] : [describe(editedPath, "model", model)]),
  ]);
  const outputs = [...(journal?.listEdited() ?? [])].map((step) => describe(step.path, "output", step.output));
  if (changes.length + outputs.length === 0) return "";
  return ["\n\nThis run is a fork, with changes that this approval covers:", ...changes, ...outputs].join("\n\n");
}

/** The messages that wait for agents of a run, each in words, for whoever approves what these do next. */
export const listMessages = ({ options: { inbox } }: Engine): string[] =>
  (inbox?.listWaiting() ?? []).map(
    ({ agent, text, by }) => `To "${agent}"${by === undefined ? "" : `, from ${by}`}:\n${text}`,
  );

const describe = (path: string, field: string, text: string): string => `"${path}", ${field}:\n${text}`;
