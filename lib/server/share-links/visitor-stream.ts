import "server-only";
import type { Flow } from "@/lib/core/flow/flow";
import type { RunEvent } from "@/lib/core/run/events/events";
import { PublicStream, type StreamEvent } from "@/lib/core/run/events/public-stream";
import type { VisitorEvent } from "@/lib/core/run/events/visitor-events";
import { getDb } from "../db";
import { streamRunEvents } from "../runs/read/event-stream";
import { readRevision } from "../runs/store/flow-cache";
import { findLastAgents } from "./find-last-agents";
import { openRunOfLink } from "./visit";

/**
 * A run that was started by a link as an SSE body of visitor events, until it ends. Throws AppError `not_found`, also for other
 * runs of the flow and once the link is revoked, and `rate_limited` as `streamRunEvents` does.
 */
export async function streamRunByLink(
  token: string,
  runId: string,
  request: Pick<Request, "signal">,
): Promise<ReadableStream<Uint8Array>> {
  const { viewer, teamId } = await openRunOfLink(token, runId);
  const answering = listAnswering(await readFlowOf(runId, teamId));
  const stream = new PublicStream(["text", "status"]);
  const reload = async () => (await openRunOfLink(token, runId)).viewer;
  const toFrames = (events: readonly RunEvent[]): string =>
    events
      .flatMap((event) => stream.take(event))
      .flatMap((event) => toVisitorEvent(event, answering) ?? [])
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .join("");
  return streamRunEvents({ viewer, reload, request }, runId, 0, toFrames);
}

/** Agents that write nothing but the answer: one with tools or a schema also writes what only the flow reads. */
function listAnswering(flow: Flow): ReadonlySet<string> {
  const names = findLastAgents(flow).filter((name) => {
    const agent = flow.agents.get(name);
    return agent && (agent.tools ?? []).length === 0 && agent.output_schema === undefined;
  });
  return new Set(names);
}

function toVisitorEvent(event: StreamEvent, answering: ReadonlySet<string>): VisitorEvent | null {
  if (event.type === "status")
    return event.kind === "agent" ? { type: "agent", name: event.name, status: event.status } : null;
  if (event.type !== "text" || !answering.has(event.agent)) return null;
  return { type: "text", agent: event.agent, text: event.text };
}

async function readFlowOf(runId: string, teamId: string): Promise<Flow> {
  const db = await getDb();
  const run = await db.run.findUniqueOrThrow({ where: { id: runId }, select: { revisionId: true, revision: true } });
  return readRevision(run.revisionId, run.revision.source, { teamId });
}
