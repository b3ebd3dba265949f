import "server-only";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { RunEvent } from "@/lib/core/run/events/events";
import { PublicStream, type StreamEvent } from "@/lib/core/run/events/public-stream";
import type { VisitorEvent } from "@/lib/core/run/events/visitor-events";
import { getDb } from "../db";
import { readVisitorAddress } from "../net/client-address";
import { streamRunEvents } from "../runs/read/event-stream";
import { readRevision } from "../runs/store/flow-cache";
import { findAnswerPaths } from "./find-answer-paths";
import { openLink, toLinkViewer } from "./open-link";
import { openRunOfLink } from "./visit";

/**
 * A run that was started by a link as an SSE body of visitor events, until it ends. Throws AppError `not_found`, also for other
 * runs of the flow and, within a second, once the link is revoked or has expired, and `rate_limited` as `streamRunEvents` does.
 */
export async function streamRunByLink(
  token: string,
  runId: string,
  request: Pick<Request, "signal" | "headers">,
): Promise<ReadableStream<Uint8Array>> {
  const { viewer, teamId } = await openRunOfLink(token, runId);
  const stream = new VisitorStream(await readAnswerPaths(runId, teamId));
  const reload = async () => toLinkViewer(await openLink(token));
  const toFrames = (events: readonly RunEvent[]): string =>
    events
      .flatMap((event) => stream.take(event))
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .join("");
  const address = readVisitorAddress(request.headers);
  return streamRunEvents({ viewer, address, reload, reloadMs: 1_000, request }, runId, 0, toFrames);
}

async function readAnswerPaths(runId: string, teamId: string): Promise<NodeKey[]> {
  const db = await getDb();
  const run = await db.run.findUniqueOrThrow({ where: { id: runId }, select: { revisionId: true, revision: true } });
  return findAnswerPaths(await readRevision(run.revisionId, run.revision.source, { teamId }));
}

/** Converts the events of one run, in their order, to those that visitors read: only texts of the steps at `answerPaths`. */
export class VisitorStream {
  readonly #stream = new PublicStream(["text", "status", "error"]);
  readonly #answerPaths: ReadonlySet<NodeKey>;
  /** By step: the model call that writes its text. */
  readonly #calls = new Map<NodeKey, string>();

  constructor(answerPaths: readonly NodeKey[]) {
    this.#answerPaths = new Set(answerPaths);
  }

  take(event: RunEvent): VisitorEvent[] {
    return this.#stream.take(event).flatMap((publicEvent) => this.#convert(publicEvent));
  }

  #convert(event: StreamEvent): VisitorEvent[] {
    if (event.type === "status") {
      const { kind, path, name, status } = event;
      return kind === "agent" ? [{ type: "agent", path, name, status }] : [];
    }
    const path = toStepPath(event.path);
    if (path === null || !this.#answerPaths.has(path)) return [];
    if (event.type === "error") return [{ type: "restart", path }];
    if (event.type !== "text") return [];
    const text: VisitorEvent = { type: "text", path, text: event.text };
    const isNext = this.#calls.has(path) && this.#calls.get(path) !== event.path;
    this.#calls.set(path, event.path);
    return isNext ? [{ type: "restart", path }, text] : [text];
  }
}

/** The step of a model call, e.g. `both/a` of `both/a#llm-1#fallback`. Null: it is in a round or visit, or is no model call. */
const toStepPath = (callPath: string): NodeKey | null => /^([^#]+)#llm-\d+(?:#fallback)?$/.exec(callPath)?.[1] ?? null;
