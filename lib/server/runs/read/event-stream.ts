import "server-only";
import type { RunEvent } from "@/lib/core/run/events/events";
import { PublicStream, type StreamEventType } from "@/lib/core/run/events/public-stream";
import { toBatch } from "@/lib/core/trace/model/trace-batch";
import type { Viewer } from "../../auth/viewer";
import { waitForTurn } from "../../event-loop-turns";
import { onReadersEnd, onRunWritten } from "../store/notify-run";
import { readRunEvents } from "./queries";
import { takeStreamPlace } from "./stream-places";

const heartbeatMs = 15_000;
/** Keeps proxies from closing a quiet line, and lets pages see that it is alive. */
const ping = ": still here\nevent: ping\ndata: {}\n\n";
/** Sent at once: headers go out with the first bytes of a body, and a run may be silent for long. */
const opening = ": the stream is open\n\n";
/** Without news from this process the database is asked anyway: another process may drive the run. */
const lookAgainMs = 1_000;
const page = 500;

/** Who reads a stream. */
export interface StreamReader {
  viewer: Viewer;
  /** Where the reader is, if the viewer stands for many. */
  address?: string | undefined;
  /** The reader with the roles that hold now. Throws AppError when it may no longer read anything. */
  reload(): Promise<Viewer>;
  /** How often it is reloaded, in milliseconds. */
  reloadMs?: number;
  /** Held as long as the stream is open: once the garbage collector has a request, Node.js no longer aborts its signal. */
  request: Pick<Request, "signal">;
}

/**
 * The events of a run after `after` as an SSE body: what is stored, then what happens, until the terminal event. Ends at
 * once when `after` is at or beyond it, and early when this process stops: clients go on in the next one. A reader who may no longer read the run gets no more of it after a minute. The database is the only source; notes between writer and reader only wake. Throws
 * AppError `not_found`, and `rate_limited` where the reader has too many streams open, before it begins.
 */
export async function streamRunEvents(
  { viewer, address, reload, reloadMs = 60_000, request }: StreamReader,
  runId: string,
  after: number,
  toFrames: (events: readonly RunEvent[]) => string = toEventFrames,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let [reader, reloadedAt] = [viewer, Date.now()];
  let firstPage: Awaited<ReturnType<typeof readRunEvents>> | null = await readRunEvents(viewer, runId, after, page);
  const freePlace = takeStreamPlace(viewer, address);
  let seq = after;
  let quietSince = Date.now();
  const bell = new Bell(runId);
  const close = (): void => {
    bell.stop();
    freePlace();
  };
  if (request.signal.aborted) close();
  request.signal.addEventListener("abort", close, { once: true });
  const sendNext = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    while (!request.signal.aborted) {
      if (firstPage === null) await waitForTurn("read");
      if (Date.now() - reloadedAt >= reloadMs) {
        reloadedAt = Date.now();
        reader = await reload();
      }
      const { events, hasEnded } = firstPage ?? (await readRunEvents(reader, runId, seq, page));
      firstPage = null;
      const last = events.at(-1);
      if (last) {
        seq = last.seq;
        quietSince = Date.now();
        controller.enqueue(encoder.encode(toFrames(events)));
        if (last.type !== "run.finished") return;
        break;
      }
      if (hasEnded || bell.isEnding) break;
      if (Date.now() - quietSince >= heartbeatMs) {
        quietSince = Date.now();
        controller.enqueue(encoder.encode(ping));
        return;
      }
      await bell.wait(lookAgainMs);
    }
    close();
    controller.close();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(opening));
    },
    pull: (controller) =>
      sendNext(controller).catch((error: unknown) => {
        close();
        throw error;
      }),
    cancel: close,
  });
}

/** The public stream of a run from its beginning, as an SSE body: each kind of event under its own name. Throws AppError `not_found`. */
export function streamPublicEvents(
  reader: StreamReader,
  runId: string,
  only: readonly StreamEventType[] | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const stream = new PublicStream(only);
  return streamRunEvents(reader, runId, 0, (events) =>
    events
      .flatMap((event) => stream.take(event))
      .map((publicEvent) => `event: ${publicEvent.type}\ndata: ${JSON.stringify(publicEvent)}\n\n`)
      .join(""),
  );
}

/** What happens in a run as batches for a trace, as an SSE body: everything that is known at once is one frame. Throws AppError `not_found`. */
export const streamTrace = (reader: StreamReader, runId: string, after: number): Promise<ReadableStream<Uint8Array>> =>
  streamRunEvents(reader, runId, after, (events) => {
    const batch = toBatch(events);
    return batch ? toFrame(batch) : "";
  });

const toFrame = (data: { seq: number }): string => `id: ${data.seq}\ndata: ${JSON.stringify(data)}\n\n`;
const toEventFrames = (events: readonly RunEvent[]): string => events.map(toFrame).join("");

/** Lets one reader of a run wait until it rings; a ring without a waiting reader is kept for the next wait. */
class Bell {
  /** Whether this process stops. */
  isEnding = false;
  #rung = false;
  #wake: (() => void) | null = null;
  readonly #stopListening: (() => void)[];

  constructor(runId: string) {
    const onEnd = (): void => {
      this.isEnding = true;
      this.ring();
    };
    this.#stopListening = [onRunWritten(runId, () => this.ring()), onReadersEnd(onEnd)];
  }

  stop(): void {
    for (const stop of this.#stopListening) stop();
    this.ring();
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#rung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#rung = false;
    this.#wake = null;
  }
}
