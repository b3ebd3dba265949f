import Sqlite from "better-sqlite3";
import pg from "pg";
import { z } from "zod";
import { getDatabaseLocation } from "@/lib/server/env";

/** The tables that grow with every run. */
const growing = new Set(["Run", "RunNode", "RunEvent", "RunPayload", "RunAnswer", "RunMessage"]);

interface Statement {
  text: string;
  values: readonly unknown[];
}

/** The places of a statement's plan that read a whole table of runs, or a whole index of it. Empty for other statements. */
export async function findFullScans(statement: Statement): Promise<string[]> {
  if (!/^\s*(?:SELECT|WITH|UPDATE|DELETE|INSERT)\b/i.test(statement.text)) return [];
  const location = getDatabaseLocation();
  const scans =
    location.type === "sqlite"
      ? explainSqlite(location.file, statement.text)
      : await explainPostgres(location.url, statement);
  return scans.map((scan) => `${scan} in ${statement.text.replaceAll(/\s+/g, " ").slice(0, 2_000)}`);
}

function explainSqlite(file: string, text: string): string[] {
  const database = new Sqlite(file, { readonly: true });
  try {
    const values = text.split("?").slice(1).fill("");
    const lines = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(...values);
    const tables = readAliases(text);
    return lines
      .map(({ detail }) => detail)
      .filter((detail) => growing.has(tables.get(/^SCAN (\w+)/.exec(detail)?.[1] ?? "") ?? ""));
  } finally {
    database.close();
  }
}

/** The tables of a statement by the names that it gives them. */
function readAliases(text: string): Map<string, string> {
  const names = [...text.matchAll(/["`](\w+)["`](?:\s+AS)?\s+["`]?([a-z]\w*)["`]?/gi)];
  return new Map(
    [...growing]
      .map((table): [string, string] => [table, table])
      .concat(
        names.flatMap(([, table = "", alias = ""]): [string, string][] => (growing.has(table) ? [[alias, table]] : [])),
      ),
  );
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string | undefined;
  "Index Cond"?: string | undefined;
  "Recheck Cond"?: string | undefined;
  Plans?: PlanNode[] | undefined;
}
const planNodeSchema: z.ZodType<PlanNode> = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Index Cond": z.string().optional(),
  "Recheck Cond": z.string().optional(),
  get Plans() {
    return z.array(planNodeSchema).optional();
  },
});
const planSchema = z.tuple([z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: planNodeSchema })]) })]);

async function explainPostgres(url: string, { text, values }: Statement): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, [...values]);
    const [{ "QUERY PLAN": plan }] = planSchema.parse(rows);
    return listScans(plan[0].Plan);
  } finally {
    await client.end();
  }
}

function listScans(node: PlanNode): string[] {
  const { "Node Type": type, "Relation Name": table = "", "Index Cond": condition, "Recheck Cond": recheck } = node;
  const isScan = growing.has(table) && type.includes("Scan") && condition === undefined && recheck === undefined;
  return [...(isScan ? [`${type} of ${table}`] : []), ...(node.Plans ?? []).flatMap(listScans)];
}
