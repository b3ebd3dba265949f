import "server-only";
import { randomUUID } from "node:crypto";
import { noUsage, type Usage } from "@/lib/core/run/events/usage";
import { localViewer } from "../../auth/viewer";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { toModelLines, toSearchText } from "../store/search-columns";

/** What every row of a run needs, for one that has not begun. */
export const newRow = () => ({
  id: randomUUID(),
  teamId: "local",
  status: "INIT",
  input: "",
  messages: "[]",
  output: "",
  usage: JSON.stringify(noUsage),
  simulated: false,
  createdAt: new Date(),
  epoch: 0,
  cancelRequested: false,
});

/** A run that has ended, as a test describes it. */
export interface RunSketch {
  id?: string;
  teamId?: string;
  status?: string;
  at?: string;
  input?: string;
  output?: string;
  models?: string[];
  by?: string;
  error?: string;
  usage?: Partial<Usage>;
  durationMs?: number | null;
}

/** Rows of runs of a new flow; the flow's id. */
export async function insertRuns(sketches: readonly RunSketch[], name = "Listed"): Promise<string> {
  const db = await startServices();
  const { id: flowId, revision: revisionId } = await createFlow(localViewer, {
    source: `name: ${name}\nagents: { a: { model: "demo:writer" } }\nswarm: { flow: a }\n`,
  });
  await db.run.createMany({
    data: sketches.map((sketch) => ({ ...toRow(sketch), flowId, revisionId, flowName: name })),
  });
  return flowId;
}

function toRow(sketch: RunSketch) {
  const { at = "2026-03-01T12:00:00Z", status = "SUCCESS" } = sketch;
  const { input = "", output = "", models = [], by = "local", error, durationMs = 1000 } = sketch;
  const usage = { ...noUsage, ...sketch.usage };
  const createdAt = new Date(at);
  const row = newRow();
  return {
    ...row,
    id: sketch.id ?? row.id,
    teamId: sketch.teamId ?? row.teamId,
    status,
    input,
    output: JSON.stringify({ text: output }),
    error: error === undefined ? null : JSON.stringify({ code: error, message: `It failed: ${error}.` }),
    errorCode: error ?? null,
    usage: JSON.stringify(usage),
    tokens: usage.input + usage.output,
    cost: usage.cost,
    isCostPartial: usage.isCostPartial ?? false,
    createdAt,
    startedAt: durationMs === null ? null : createdAt,
    endedAt: durationMs === null ? null : new Date(createdAt.getTime() + durationMs),
    durationMs,
    startedById: by,
    startedBy: by === "local" ? "You" : by,
    models: toModelLines(models),
    search: toSearchText(input, output),
  };
}
