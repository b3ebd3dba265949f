import "server-only";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { type RunParameters, runParametersSchema } from "@/lib/core/flow/schemas/run-parameters";
import type { NodeEdit } from "@/lib/core/run/ports/run-options";

const nodeEditSchema = z.strictObject({
  input: z.string().exactOptional(),
  instructions: z.string().exactOptional(),
  model: z.string().exactOptional(),
});

/** What steps of a run get instead of what they would get, by path, as its row holds it. */
export const readEdits = (text: string | null): ReadonlyMap<string, NodeEdit> | undefined =>
  text === null ? undefined : new Map(Object.entries(parseJsonAs(text, z.record(z.string(), nodeEditSchema))));

/** Limits of all agents of a run, as its row holds them. */
export const readParameters = (text: string | null): RunParameters | undefined =>
  text === null ? undefined : parseJsonAs(text, runParametersSchema);

/** As the row of a run holds them; null: none. */
export const writeParameters = (parameters: RunParameters = {}): string | null => {
  const text = JSON.stringify(parameters);
  return text === "{}" ? null : text;
};

/** As the row of a run holds them; null: none. */
export const writeEdits = (edits: ReadonlyMap<string, NodeEdit>): string | null =>
  edits.size === 0 ? null : JSON.stringify(Object.fromEntries(edits));
