import { EventSourceParserStream } from "eventsource-parser/stream";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { type RunEvent, runEventSchema } from "@/lib/core/run/events/events";

const createdSchema = z.object({ id: z.string() });
const listSchema = z.object({ runs: z.array(z.object({ status: z.string() })) });
const detailSchema = z.object({ status: z.string(), durationMs: z.number().nullish() });

const stepsSchema = z.object({ state: z.object({ nodes: z.array(z.object({ id: z.number(), kind: z.string() })) }) });

/** What the benchmarks ask the API of a running server. */
export class ApiClient {
  /** `headers`: sent with every request, e.g. the cookie of a session. */
  constructor(
    readonly origin: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  async #post(pathname: string, body: object): Promise<string> {
    return parseJsonAs(await this.#send(pathname, body), createdSchema).id;
  }

  async #send(pathname: string, body: object): Promise<string> {
    const response = await fetch(`${this.origin}/api/v1${pathname}`, {
      method: "POST",
      headers: { ...this.headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${pathname}: ${response.status} ${text}`);
    return text;
  }

  /** The text of a page or of an answer of the API. Throws unless it is there. */
  async read(pathname: string): Promise<string> {
    const response = await fetch(`${this.origin}${pathname}`, { headers: this.headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`GET ${pathname}: ${response.status} ${text.slice(0, 1_000)}`);
    return text;
  }

  createFlow(source: string): Promise<string> {
    return this.#post("/flows", { source });
  }

  startRun(flowId: string, input = "go"): Promise<string> {
    return this.#post(`/flows/${flowId}/runs`, { input });
  }

  /** Starts a run that continues another one from a step, with another input for it. */
  forkRun(runId: string, node: number, input: string): Promise<string> {
    return this.#post(`/runs/${runId}/fork`, { node, input });
  }

  async cancelRun(runId: string): Promise<void> {
    await this.#send(`/runs/${runId}/cancel`, {});
  }

  async readRun(runId: string): Promise<z.infer<typeof detailSchema>> {
    return parseJsonAs(await this.read(`/api/v1/runs/${runId}`), detailSchema);
  }

  /** The steps of a run, in the order in which they began. */
  async readSteps(runId: string): Promise<{ id: number; kind: string }[]> {
    return parseJsonAs(await this.read(`/api/v1/runs/${runId}`), stepsSchema).state.nodes;
  }

  /** Of the newest 200 runs of a flow. */
  async countUnfinished(flowId: string): Promise<number> {
    const text = await this.read(`/api/v1/runs?flow=${flowId}&limit=200`);
    const { runs } = parseJsonAs(text, listSchema);
    return runs.filter(({ status }) => status === "INIT" || status === "RUNNING").length;
  }

  async checkHealth(): Promise<void> {
    await (await fetch(`${this.origin}/api/health`)).text();
  }

  /** The events of a run as they arrive, until its end; those after `after`. A reader that leaves closes the connection. */
  async *follow(runId: string, after = 0): AsyncGenerator<RunEvent> {
    const headers = { ...this.headers, "last-event-id": String(after) };
    const response = await fetch(`${this.origin}/api/v1/runs/${runId}/events`, { headers });
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
