import { EventSourceParserStream } from "eventsource-parser/stream";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { type RunEvent, runEventSchema } from "@/lib/core/run/events/events";

const createdSchema = z.object({ id: z.string() });
const listSchema = z.object({ runs: z.array(z.object({ status: z.string() })) });
const detailSchema = z.object({ status: z.string(), durationMs: z.number().nullish() });

/** What the benchmarks ask the API of a running server. */
export class ApiClient {
  constructor(readonly origin: string) {}

  async #post(pathname: string, body: object): Promise<string> {
    const response = await fetch(`${this.origin}/api/v1${pathname}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${pathname}: ${response.status} ${text}`);
    return parseJsonAs(text, createdSchema).id;
  }

  createFlow(source: string): Promise<string> {
    return this.#post("/flows", { source });
  }

  startRun(flowId: string, input = "go"): Promise<string> {
    return this.#post(`/flows/${flowId}/runs`, { input });
  }

  async readRun(runId: string): Promise<z.infer<typeof detailSchema>> {
    return parseJsonAs(await (await fetch(`${this.origin}/api/v1/runs/${runId}`)).text(), detailSchema);
  }

  /** Of the newest 200 runs of a flow. */
  async countUnfinished(flowId: string): Promise<number> {
    const text = await (await fetch(`${this.origin}/api/v1/runs?flow=${flowId}&limit=200`)).text();
    const { runs } = parseJsonAs(text, listSchema);
    return runs.filter(({ status }) => status === "INIT" || status === "RUNNING").length;
  }

  async checkHealth(): Promise<void> {
    await (await fetch(`${this.origin}/api/health`)).text();
  }

  /** The events of a run as they arrive, until its end. */
  async *follow(runId: string): AsyncGenerator<RunEvent> {
    const response = await fetch(`${this.origin}/api/v1/runs/${runId}/events`);
    if (!response.body) throw new Error("the stream has no body");
    const frames = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { data, event } of frames) if (event !== "ping") yield parseJsonAs(data, runEventSchema);
  }

  /** Resolves with the terminal event. */
  async waitForEnd(runId: string): Promise<RunEvent | undefined> {
    let last: RunEvent | undefined;
    for await (const event of this.follow(runId)) last = event;
    return last;
  }
}
