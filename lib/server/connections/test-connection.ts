import "server-only";
import { z } from "zod";
import { countNouns } from "@/lib/core/flow/format-count";
import type { Message } from "@/lib/core/run/events/messages";
import type { ModelEvent, ModelEventOf, ModelRequest, ResolvedModel } from "@/lib/core/run/ports/model";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { requireTeam, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import type { Env } from "../env";
import { redact } from "../log/redact";
import { listKeys } from "../log/secrets";
import { createModelPort, type EnteredConnection, listDeclaredModels } from "../models/model-port";
import { suggestModels } from "../models/pricing/catalogue";
import { getTeamEnv } from "../team-env";
import { enteredConnections } from "./active";
import { completeSetting, toObject } from "./commands";
import { connectionSettingSchema, findKind } from "./connection-setting";
import { noteProven } from "./proven-settings";

/** What is tested: what the body has, else what is stored. `model`: without its provider; missing: the one that new agents get. */
export const connectionTestSchema = connectionSettingSchema.extend({
  model: z.string().trim().min(1).max(200).optional(),
});

/** One question to the provider. */
export interface ConnectionTestStep {
  type: "models" | "word" | "tool";
  /** `limited`: it works, without what the message names. */
  status: "passed" | "limited" | "failed" | "skipped";
  /** In plain words, without keys. */
  message: string;
  milliseconds: number;
}

export interface ConnectionTest {
  /** Whether agents can use it: it gives answers. */
  ok: boolean;
  /** The model that was asked; null: none was. */
  model: string | null;
  /** The models that the server lists. */
  models: string[];
  steps: ConnectionTestStep[];
}

/** Milliseconds for the list, and for each answer: a local server may load its model first. */
const [listMs, answerMs] = [10_000, 90_000];

interface TestTarget {
  provider: string;
  env: Env;
  entered: EnteredConnection | undefined;
  signal: AbortSignal;
}

/**
 * Asks a provider for its models, for one streamed word and for one tool call. Throws AppError as saving does; what the
 * provider does wrong is in the result. Aborting the signal ends it.
 */
export async function testConnection(
  viewer: Viewer,
  provider: string,
  { model, ...setting }: z.infer<typeof connectionTestSchema>,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  const teamId = requireTeam(viewer, "team:manage");
  const object = toObject(provider);
  await recordAudit(await getDb(), viewer, { teamId, action: "connection.tested", object });
  const stored = enteredConnections(teamId).get(provider);
  const isDraft = setting.key !== undefined || setting.baseUrl !== undefined;
  const entered: EnteredConnection | undefined = isDraft ? await completeSetting(teamId, provider, setting) : stored;
  if (entered?.problem !== undefined) throw new AppError("bad_request", entered.problem);
  const target: TestTarget = { provider, env: getTeamEnv(teamId), entered, signal };
  const listing = await timed("models", () => askForList(target));
  const steps = [listing.step];
  const isRefused = listing.status === 401 || listing.status === 403;
  const chosen = model ?? chooseModel(provider, listing.models);
  const resolved = chosen === null ? null : findModel(target, chosen);
  if (isRefused || listing.isUnreachable || chosen === null || !resolved) {
    const reason = isRefused || listing.isUnreachable ? "Not asked." : "Not asked: enter the name of a model to ask.";
    steps.push(...(["word", "tool"] as const).map((type) => skip(type, reason)));
    return { ok: false, model: null, models: listing.models, steps };
  }
  const word = await timed("word", () => askForWord(resolved, signal));
  const tool =
    word.step.status === "failed"
      ? { step: skip("tool", "Not asked.") }
      : await timed("tool", () => askForTool(resolved, signal));
  const ok = [word, tool].every(({ step }) => step.status !== "failed");
  if (ok && isDraft && entered) noteProven(teamId, provider, entered);
  return {
    ok,
    model: chosen,
    models: listing.models,
    steps: [...steps, word.step, tool.step],
  };
}

type StepResult = Pick<ConnectionTestStep, "status" | "message">;

const skip = (type: ConnectionTestStep["type"], message: string): ConnectionTestStep => ({
  type,
  status: "skipped",
  message,
  milliseconds: 0,
});

async function timed<Asked extends { result: StepResult }>(
  type: ConnectionTestStep["type"],
  ask: () => Promise<Asked>,
): Promise<Asked & { step: ConnectionTestStep }> {
  const startedAt = performance.now();
  const asked = await ask();
  return { ...asked, step: { type, ...asked.result, milliseconds: Math.round(performance.now() - startedAt) } };
}

interface Listing {
  result: StepResult;
  models: string[];
  /** Of a refusal; else 0. */
  status: number;
  isUnreachable: boolean;
}

async function askForList({ provider, env, entered, signal }: TestTarget): Promise<Listing> {
  const timeout = AbortSignal.timeout(listMs);
  const connection = toConnection(provider, entered, env);
  const nothing = { models: [], status: 0, isUnreachable: false };
  try {
    const list = await listDeclaredModels(provider, connection, AbortSignal.any([signal, timeout]));
    if (list?.type === "listed") {
      const count = list.models.length;
      const message =
        count === 0 ? "It lists no model: load one in the server." : `It lists ${countNouns(count, "model")}.`;
      return {
        ...nothing,
        models: list.models,
        result: { status: count === 0 ? "limited" : "passed", message },
      } as const;
    }
    const { status = 0, message = "" } = list ?? {};
    if (status === 401 || status === 403)
      return { ...nothing, status, result: { status: "failed", message: `It refuses the key: ${message}` } };
    return {
      ...nothing,
      status,
      result: { status: "limited", message: `It has no list of models: ${message}` },
    } as const;
  } catch (error) {
    signal.throwIfAborted();
    const reason = timeout.aborted ? `no answer within ${listMs / 1000} s` : describeThrown(error);
    const message = `It cannot be reached: ${redact(reason, [connection.apiKey, ...listKeys()])}.`;
    return { ...nothing, isUnreachable: true, result: { status: "failed", message } };
  }
}

/** The innermost reason: sockets wrap theirs. */
function describeThrown(error: unknown): string {
  if (!(error instanceof Error)) return "an unknown error";
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const { message } = inner instanceof Error ? inner : error;
  return message === "" ? ("code" in error ? String(error.code) : error.name) : message.replace(/\.$/, "");
}

function toConnection(provider: string, entered: EnteredConnection | undefined, env: Env) {
  const { keyVariable, urlVariable, ownUrl } = findKind(provider);
  const apiKey = entered ? entered.apiKey : (env[keyVariable] ?? "");
  const baseUrl = (entered ? entered.baseUrl : (env[urlVariable] ?? "")) || (ownUrl ?? "");
  return { apiKey, baseUrl, reach: entered?.reach ?? "anywhere" };
}

const findModel = ({ provider, env, entered }: TestTarget, model: string): ResolvedModel | null =>
  createModelPort(env, new Map(entered && [[provider, entered]])).find(`${provider}:${model}`);

const notForChat = /embed|rerank|whisper|tts|image|audio|moderation|realtime/i;

/** The model of new agents, where the server lists it: another one may take what this one refuses. Null: none is known. */
function chooseModel(provider: string, listed: readonly string[]): string | null {
  const suggested =
    provider === "openai" || provider === "anthropic" || provider === "google" ? suggestModels(provider) : [];
  const known = suggested.filter((name) => listed.length === 0 || listed.includes(name));
  const chatting = listed.filter((name) => !notForChat.test(name));
  return known[0] ?? chatting[0] ?? listed[0] ?? null;
}

const question = (model: string, text: string, signal: AbortSignal): ModelRequest => ({
  agent: "connection test",
  model,
  messages: [{ role: "user", content: text }],
  tools: [],
  signal,
});

interface StreamedAnswer {
  pieces: number;
  last: ModelEventOf<"done"> | ModelEventOf<"failed">;
  dropped: readonly string[];
}

async function ask({ model }: ResolvedModel, request: ModelRequest): Promise<StreamedAnswer> {
  const timeout = AbortSignal.timeout(answerMs);
  const signal = AbortSignal.any([request.signal, timeout]);
  const events: ModelEvent[] = [];
  for await (const event of model.stream({ ...request, signal })) events.push(event);
  request.signal.throwIfAborted();
  const last = events.at(-1);
  const pieces = events.filter(({ type }) => type === "text" || type === "reasoning").length;
  const sent = events.findLast((event) => event.type === "sent");
  const dropped = (sent?.dropped ?? []).map(({ parameter }) => parameter);
  if (last?.type === "done") return { pieces, last, dropped };
  const failure = { class: "timeout", message: `There was no whole answer within ${answerMs / 1000} s.` } as const;
  if (timeout.aborted || last?.type !== "failed") return { pieces, last: { type: "failed", failure }, dropped };
  return { pieces, last, dropped };
}

async function askForWord(resolved: ResolvedModel, signal: AbortSignal): Promise<{ result: StepResult }> {
  const { last } = await ask(resolved, question(resolved.name, "Answer with the one word: ready", signal));
  if (last.type === "failed") return { result: { status: "failed", message: last.failure.message } };
  const word = last.message.content.trim();
  if (word === "") return { result: { status: "limited", message: "It answered without a word." } };
  const isStreamed = !(last.notes ?? []).some(({ message }) => message.includes("in place of a stream"));
  const quoted = `“${word.length > 40 ? `${word.slice(0, 40)}…` : word}”`;
  if (isStreamed) return { result: { status: "passed", message: `It streamed ${quoted}.` } };
  const message = `It answered ${quoted} in one piece: it does not stream, so words show only at the end.`;
  return { result: { status: "limited", message } };
}

const toolSpec = {
  name: "add_numbers",
  description: "Adds two whole numbers and returns their sum.",
  parameters: {
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "integer" } },
    required: ["a", "b"],
  },
} as const;

/** Asks for a call of a tool, and gives its result: some models refuse the second of the two requests. */
async function askForTool(resolved: ResolvedModel, signal: AbortSignal): Promise<{ result: StepResult }> {
  const text = "Call the tool add_numbers with a = 2 and b = 3. Do not answer with text.";
  const request = { ...question(resolved.name, text, signal), tools: [toolSpec] };
  const { last, dropped } = await ask(resolved, request);
  if (last.type === "failed") return { result: toToolFailure(last) };
  if (dropped.includes("tools"))
    return { result: { status: "limited", message: "It refuses tools: agents with tools answer without using them." } };
  const call = last.message.toolCalls?.find(({ name }) => name === toolSpec.name);
  if (!call) {
    const message = "It answered with text and called no tool: agents of this model may not use their tools.";
    return { result: { status: "limited", message } };
  }
  const results = (last.message.toolCalls ?? []).map(
    ({ id, name }): Message => ({ role: "tool", toolCallId: id, name, content: "5" }),
  );
  const { last: end } = await ask(resolved, { ...request, messages: [...request.messages, last.message, ...results] });
  if (end.type === "failed") return { result: toToolFailure(end) };
  return { result: { status: "passed", message: "It called a tool and went on with its result." } };
}

const toToolFailure = ({ failure }: ModelEventOf<"failed">): StepResult => ({
  status: "failed",
  message: `Agents with tools fail: ${failure.message}`,
});
