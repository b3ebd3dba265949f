import type { Json, JsonSchema } from "../../flow/flow";

/** An answer that fits its schema, or a message that tells the model how to correct it. */
export type ParsedAnswer = { ok: true; value: Json } | { ok: false; message: string };

/**
 * Reads answers by the `output_schema` of an agent. Both take time in proportion to schema and text: a host that does other
 * work as well gives a port that works elsewhere, with a deadline.
 */
export interface AnswerPort {
  /** Why a schema cannot be used; null when it can. Never rejects for a schema. */
  findSchemaMistake(schema: JsonSchema): Promise<string | null>;
  /** Never rejects for a text. */
  read(schema: JsonSchema, text: string): Promise<ParsedAnswer>;
}
