import "server-only";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { type Payload, payloadSchema } from "@/lib/core/run/events/events";
import type { Db } from "../../db";
import { readEdits } from "../store/node-edits";
import { findPayload } from "../store/payload-rows";

/** What a step of a fork got, or a user wrote as its output, in place of its own. */
export interface ForkText {
  /** Path of the step. */
  step: string;
  field: "model" | "input" | "instructions" | "output";
  text: Payload;
}

/** Longest shown beginning of one, in UTF-16 units. */
const longestShown = 4_000;

const cut = (text: string): Payload =>
  text.length > longestShown ? { text: text.slice(0, longestShown), length: text.length } : { text };

/** What is different in a fork besides its flow. Empty: nothing, or no fork. */
export async function listForkTexts(
  db: Db,
  row: { id: string; forkedFrom: string | null; forkedAt: string | null; edits: string | null },
): Promise<ForkText[]> {
  if (row.forkedFrom === null) return [];
  const texts: ForkText[] = [];
  for (const [step, edit] of readEdits(row.edits) ?? [])
    for (const field of editedFields) {
      const text = edit[field];
      if (text !== undefined) texts.push({ step, field, text: cut(text) });
    }
  const output = await findOwnOutput(db, row.id, row.forkedAt ?? "/");
  if (output !== null) texts.push({ step: row.forkedAt ?? "/", field: "output", text: cut(output) });
  return texts;
}

const editedFields = ["model", "input", "instructions"] as const;

const stepSchema = z.object({
  output: payloadSchema,
  metadata: z.object({ edited: z.boolean().optional() }).optional(),
});

/** The output that a user wrote for a step, which is not done again; null: none. */
async function findOwnOutput(db: Db, runId: string, path: string): Promise<string | null> {
  const row = await db.runNode.findFirst({ where: { runId, path }, select: { nodeId: true, body: true } });
  if (!row) return null;
  const { output, metadata } = parseJsonAs(row.body, stepSchema);
  return metadata?.edited === true ? ((await findPayload(db, runId, row.nodeId, "output")) ?? output.text) : null;
}
