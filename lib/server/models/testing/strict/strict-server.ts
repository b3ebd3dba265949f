import "server-only";
import type { ServerResponse } from "node:http";
import { LLMock } from "@copilotkit/aimock";
import { isObject, type JsonObject, parseJson, textOf } from "../../json";
import { sendJson, startRawServer } from "../raw-server";
import { answerByDemo } from "./answer-by-demo";
import { objectOf, objectsIn } from "./read-body";
import { findBroken, type Refusal, type StrictRule } from "./strict-rule";

/** A service of a provider, as strict as it is. */
export interface StrictService {
  /** As in the docs. */
  label: string;
  /** The word before the colon of its models. */
  provider: "openai" | "anthropic" | "google" | "compatible";
  /** After the server's address. */
  basePath: string;
  /** The path that it serves; any other is 404. */
  endpoint: RegExp;
  /** Some that it serves: one of today and one before it. */
  models: { current: string; older: string };
  rules: readonly StrictRule[];
  /** The rules that a client learns by being refused: nothing tells which service is at an address. */
  learns?: readonly string[];
  /** The models that think before they answer. */
  thinks?: RegExp;
  /** The id of a call; missing: OpenAI's form. */
  toCallId?(nth: number, name: string): string;
  toError(refusal: Refusal & { status: number }): JsonObject;
  /** Changes one event of an answer to what the test server does not do itself. */
  alter?(event: JsonObject): JsonObject;
  /** Where a body has the schema of the answer. */
  schemaIn(body: JsonObject): JsonObject | null;
}

export interface StrictServer {
  url: string;
  /** What it has refused since it was asked last, but for what a client learns in this way: a line each. */
  takeUnexpected(): string[];
  /** How many requests it has answered. */
  answered(): number;
  close(): Promise<void>;
}

/** Starts a service on a free loopback port: it refuses what its rules say, and answers everything else by the demo model. */
export async function startStrictServer(service: StrictService): Promise<StrictServer> {
  const refused: { rule: string; message: string }[] = [];
  const bodies = new Map<string, JsonObject>();
  let [answeredCount, callCount] = [0, 0];
  const mock = new LLMock({ port: 0, host: "127.0.0.1", chunkSize: 40, logLevel: "silent" });
  mock.on({ predicate: () => true }, (request) =>
    answerByDemo(request, {
      schema: service.schemaIn(bodies.get(String(request._context)) ?? {}),
      thought: service.thinks?.test(request.model) ? "The question is plain." : null,
      parametersOf: (name) => findParameters(bodies.get(String(request._context)) ?? {}, name),
      toCallId: (name) => (service.toCallId ?? toOpenAiCallId)(++callCount, name),
    }),
  );
  await mock.start();
  const server = await startRawServer((response, text, nth) => void answer(response, text, String(nth)));
  return {
    url: `${server.url}${service.basePath}`,
    takeUnexpected: () =>
      refused
        .splice(0)
        .filter(({ rule }) => !service.learns?.includes(rule))
        .map(({ rule, message }) => `${rule}: ${message}`),
    answered: () => answeredCount,
    close: async () => {
      await server.close();
      await mock.stop();
    },
  };

  async function answer(response: ServerResponse, text: string, context: string): Promise<void> {
    const path = response.req.url ?? "";
    const body = parseJson(text);
    if (!service.endpoint.test(path)) return sendJson(response, 404, { error: { message: "Not Found" } });
    if (!isObject(body)) return sendJson(response, 400, { error: { message: "The body is no JSON object." } });
    const model = textOf(body.model) ?? /\/models\/([^:/]+):/.exec(path)?.[1] ?? "";
    const broken = findBroken(service.rules, { model: decodeURIComponent(model), body });
    if (broken) {
      const refusal = { status: 400, ...broken.refusal };
      refused.push({ rule: broken.rule.id, message: refusal.message });
      return sendJson(response, refusal.status, service.toError(refusal));
    }
    bodies.set(context, body);
    const answered = await fetch(`${mock.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer test", "x-aimock-context": context },
      body: text,
    });
    answeredCount++;
    response.writeHead(answered.status, { "content-type": answered.headers.get("content-type") ?? "text/plain" });
    response.end(toAltered(await answered.text(), service));
  }
}

const toOpenAiCallId = (nth: number): string => `call_${String(nth).padStart(24, "0")}`;

/** Gemini's parameters of a function, which the test server does not read. */
function findParameters({ tools }: JsonObject, name: string): JsonObject {
  const declared = objectsIn(tools).flatMap(({ functionDeclarations }) => objectsIn(functionDeclarations));
  return objectOf(declared.find((tool) => tool.name === name)?.parametersJsonSchema);
}

const toAltered = (text: string, { alter }: StrictService): string =>
  alter
    ? text.replaceAll(
        /^data: (\{.*\})$/gm,
        (_, event: string) => `data: ${JSON.stringify(alter(objectOf(parseJson(event))))}`,
      )
    : text;
