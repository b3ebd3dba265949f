import "server-only";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { type Payload, payloadSchema } from "@/lib/core/run/events/events";
import { truncatePayload } from "@/lib/core/trace/model/step-texts";
import type { Db } from "../../db";
import { readEdits } from "../store/node-edits";

/** What a step of a fork got, or a user wrote as its output, in place of its own. */
export interface ForkText {
  /** Path of the step. */
  step: string;
  field: "model" | "input" | "instructions" | "output";
  text: Payload;
}

/** Maximum length of a displayed text, in UTF-16 units. */
const maxLength = 4_000;

/** What is different in a fork besides its flow. Empty: nothing, or no fork. */
export async function listForkTexts(
  db: Db,
  { id, forkedAt, edits }: { id: string; forkedAt: string | null; edits: string | null },
): Promise<ForkText[]> {
  const texts: ForkText[] = [];
  for (const [step, edit] of readEdits(edits) ?? [])
    for (const field of editedFields) {
      const text = edit[field];
      if (text !== undefined) texts.push({ step, field, text: truncatePayload({ text }, maxLength) });
    }
  const output = forkedAt === null ? null : await findOwnOutput(db, id, forkedAt);
  if (forkedAt !== null && output)
    texts.push({ step: forkedAt, field: "output", text: truncatePayload(output, maxLength) });
  return texts;
}

const editedFields = ["model", "input", "instructions"] as const;

const stepSchema = z.object({
  output: payloadSchema,
  metadata: z.object({ edited: z.boolean().optional() }).optional(),
});

/** The output that a user wrote for a step, which is not done again; null: none. */
async function findOwnOutput(db: Db, runId: string, path: string): Promise<Payload | null> {
  const row = await db.runNode.findFirst({ where: { runId, path }, select: { body: true } });
  if (!row) return null;
  const { output, metadata } = parseJsonAs(row.body, stepSchema);
  return metadata?.edited ? output : null;
}
