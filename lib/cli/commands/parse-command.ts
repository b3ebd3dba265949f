import { createInterface } from "node:readline";
import { z } from "zod";
import { parseFlow } from "@/lib/core/dsl/parse";
import { printFlow } from "@/lib/core/dsl/print";
import { toGraph } from "@/lib/core/dsl/series-parallel";
import { type Expression, namesOf } from "@/lib/core/flow/expression";
import { limits } from "@/lib/core/flow/flow";
import { type Graph, GraphError } from "@/lib/core/flow/graph";
import { parseJson } from "@/lib/core/flow/parse-json";
import { hasErrors, type Problem } from "@/lib/core/flow/problem";
import { nearest } from "@/lib/core/flow/suggest-name";
import { readerGone, writeJson } from "../output";
import { UsageError } from "../usage-error";
import { describeProblem, Lines, type PrintedProblem, toPrinted } from "./report";

/** What `parse` prints for a text; empty where the text could not be read. */
interface ParseResult {
  id?: string | number;
  ok: boolean;
  nodes: string[];
  edges: [from: string, to: string][];
  /** Longest-path ranks; empty when there is a cycle. */
  layers: string[][];
  printed: string | null;
  problems: PrintedProblem[];
}

/** `parse "<dsl>"`: one JSON line on standard output, problems with carets on standard error. Gives the exit code. */
async function parseOne(dsl: string): Promise<number> {
  const result = parseText(dsl);
  await writeJson(result);
  const lines = new Lines(dsl);
  for (const problem of result.problems) console.error(describeProblem("<dsl>", problem, lines));
  return result.ok ? 0 : 1;
}

/** `parse --stdin`: for each JSON line in, one JSON line out, in the same order; blank lines are passed over. Ends when no one reads them. */
async function parseStdin(): Promise<number> {
  let code = 0;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    const result = parseJsonLine(line);
    await writeJson(result);
    if (!result.ok) code = 1;
    if (readerGone.aborted) break;
  }
  return code;
}

const idSchema = z.union([z.string(), z.number()]);
const lineSchema = z.object({ id: idSchema.optional(), dsl: z.string(), names: z.array(z.string()).optional() });

function parseJsonLine(line: string): ParseResult {
  const value = parseJson(line);
  if (value === undefined)
    return refuse('Expected a JSON object such as {"dsl": "a >> b"}, found a line that is not JSON.');
  const read = lineSchema.safeParse(value);
  if (read.success) return { ...withId(read.data.id), ...parseText(read.data.dsl, read.data.names) };
  const [issue] = read.error.issues;
  const id = z.object({ id: idSchema }).safeParse(value);
  const location = issue?.path.length ? `at ${issue.path.join(".")}: ` : "";
  return {
    ...withId(id.data?.id),
    ...refuse(`Expected {"id"?, "dsl", "names"?}; ${location}${issue?.message ?? "wrong form"}.`),
  };
}

const withId = (id: string | number | undefined) => (id === undefined ? {} : { id });

const refuse = (message: string, code: Problem["code"] = "invalid-value"): ParseResult => ({
  ok: false,
  nodes: [],
  edges: [],
  layers: [],
  printed: null,
  problems: [{ code, severity: "error", message, line: 1, column: 1, endLine: 1, endColumn: 1 }],
});

/** Reads a DSL text; with `names`, every other name is a problem. */
function parseText(dsl: string, names?: readonly string[]): ParseResult {
  if (dsl.length > limits.sourceLength)
    return refuse(`The text has ${dsl.length} characters; at most ${limits.sourceLength} are read.`, "too-large");
  const { expression, problems: parseProblems } = parseFlow(dsl);
  const problems = [...parseProblems, ...(expression && names ? findUnknown(expression, names) : [])];
  const graph = expression && toGraph(expression);
  const lines = new Lines(dsl);
  return {
    ok: !hasErrors(problems),
    nodes: graph?.nodes ?? [],
    edges: graph?.edges ?? [],
    layers: graph ? layersOf(graph) : [],
    printed: expression && printFlow(expression),
    problems: problems.map((problem) => toPrinted(problem, lines)),
  };
}

function findUnknown(expression: Expression, names: readonly string[]): Problem[] {
  const declaredNames = new Set(names);
  return namesOf(expression)
    .filter(({ name }) => !declaredNames.has(name))
    .map(({ name, range }) => {
      const near = nearest(name, names);
      const hint = near === null ? "Declare it, or use another." : `Did you mean "${near}"?`;
      return { code: "unknown-name", severity: "error", message: `"${name}" is not declared. ${hint}`, range };
    });
}

function layersOf(graph: Graph): string[][] {
  try {
    return graph.layers();
  } catch (error) {
    if (error instanceof GraphError) return [];
    throw error;
  }
}

/** `parse` with its arguments as they were given. */
export async function runParse(dsl: string | undefined, options: { stdin?: boolean }): Promise<number> {
  if (options.stdin && dsl !== undefined) throw new UsageError("Give either a text or --stdin, not both.");
  if (options.stdin) return parseStdin();
  if (dsl === undefined) throw new UsageError('Expected a text, e.g. swarmloom parse "a >> (b | c)", or --stdin.');
  return parseOne(dsl);
}
