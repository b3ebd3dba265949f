import * as z from "zod/mini";
import { runStatuses } from "./run-status";

/** An event of a running run as a visitor of a share link reads it: who works, as the flow names them, and the answer as it is written. */
export const visitorEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("agent"), path: z.string(), name: z.string(), status: z.enum(runStatuses) }),
  /** The next part of what a step at the end of the flow writes. */
  z.object({ type: z.literal("text"), path: z.string(), text: z.string() }),
  /** The step writes its text anew: its model call failed, or another one follows. */
  z.object({ type: z.literal("restart"), path: z.string() }),
]);
export type VisitorEvent = z.infer<typeof visitorEventSchema>;

/** A run as its visitor reads it: the answer, without the steps. */
export const visitorRunSchema = z.object({
  status: z.enum(runStatuses),
  output: z.string(),
  /** Only its code: a message may quote what the flow keeps for itself. */
  error: z.nullable(z.object({ code: z.string() })),
  simulated: z.boolean(),
});
export type VisitorRun = z.infer<typeof visitorRunSchema>;
