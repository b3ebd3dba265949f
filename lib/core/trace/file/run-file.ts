import * as z from "zod/mini";
import { limits } from "../../flow/flow";
import { formatCount } from "../../flow/format-count";
import { parseJson } from "../../flow/parse-json";
import { layoutSchema } from "../../flow/schemas/layout-schema";
import { runErrorSchema, runStatusSchema } from "../../run/events/events";
import { usageSchema } from "../../run/events/usage-schema";
import { type RunNode, runNodeSchema, timeSchema, wholeTextSchema } from "../model/run-state";

/** What marks the file, so that no other JSON is taken for one. */
const format = "swarmloom-run";
const version = 1;

export const runFileLimits = {
  /** Longest file that is read, in UTF-16 units. */
  length: 200_000_000,
  nodes: 500_000,
} as const;

/** The text of a run file before and after its steps, for writing a long one step by step with commas between. */
export function toRunFileFrame({ run, source, layout }: RunFileHead): { head: string; tail: string } {
  const head = JSON.stringify({ format, version, run, source, layout });
  return { head: `${head.slice(0, -1)},"nodes":[\n`, tail: "\n]}\n" };
}

const markSchema = z.object({ format: z.literal(format), version: z.number() });

const runFileSchema = z.strictObject({
  format: z.literal(format),
  version: z.literal(version),
  /** Texts are complete. */
  run: z.strictObject({
    id: z.string().check(z.minLength(1), z.maxLength(200)),
    flowName: z.string(),
    status: runStatusSchema,
    input: wholeTextSchema,
    output: wholeTextSchema,
    error: z.nullable(runErrorSchema),
    usage: usageSchema,
    simulated: z.boolean(),
    createdAt: timeSchema,
    startedAt: z.nullable(timeSchema),
    endedAt: z.nullable(timeSchema),
  }),
  /** The flow's text at that time. */
  source: z.string().check(z.maxLength(limits.sourceLength)),
  layout: layoutSchema,
  /** In the order of their ids, which have no gaps; their texts are complete. */
  nodes: z.readonly(z.array(runNodeSchema).check(z.maxLength(runFileLimits.nodes))),
});

/** A run as one file holds it, with the flow that it ran. */
export type RunFile = Omit<z.infer<typeof runFileSchema>, "format" | "version">;
export type RunFileHead = Omit<RunFile, "nodes">;

/**
 * Reads the text of a run file and checks all of it. Never throws, runs nothing and connects to nothing; what cannot be
 * read is told as a sentence with what was expected, what was found and what to do.
 */
export function readRunFile(text: string): RunFile | { problem: string } {
  if (text.length > runFileLimits.length)
    return {
      problem: `Expected a run file of at most ${formatCount(runFileLimits.length)} characters, found ${formatCount(text.length)}. Read this run where it was made.`,
    };
  try {
    return readParsed(parseJson(text));
  } catch (error) {
    if (error instanceof RangeError) return { problem: `${notReadable} its data is nested too deep.` };
    throw error;
  }
}

const notReadable = "This run file is broken:";

function readParsed(json: unknown): RunFile | { problem: string } {
  const mark = markSchema.safeParse(json);
  if (!mark.success)
    return {
      problem: `Expected a run file of Swarmloom${json === undefined ? ", found a text that is no JSON, or the beginning of one" : ", found other JSON"}. Download the run again and open that file as it is.`,
    };
  if (mark.data.version !== version)
    return {
      problem: `Expected a run file of version ${version}, found version ${mark.data.version}. Open it with the version of Swarmloom that wrote it, or a newer one.`,
    };
  const { data, error } = runFileSchema.safeParse(json);
  if (error) {
    const [issue] = error.issues;
    const fieldPath = issue?.path.join(".") || "the file";
    return { problem: `${notReadable} ${fieldPath} is not as expected (${issue?.message}). Download the run again.` };
  }
  const misplaced = findMisplaced(data.nodes);
  if (misplaced !== null)
    return {
      problem: `${notReadable} step ${misplaced} does not follow the step before it and its parent. Download the run again.`,
    };
  const { format: _, version: __, ...file } = data;
  return file;
}

/** The first step out of order, or whose parent does not come before it. */
const findMisplaced = (nodes: readonly RunNode[]): number | null =>
  nodes.find(({ id, parent = 0 }, index) => id !== index + 1 || parent >= id)?.id ?? null;
