import { findBoundary } from "../../flow/find-boundary";
import type { HumanInputAnswer, Payload, RunEvent, RunEventOf } from "../../run/events/events";
import { isTerminal } from "../../run/events/run-status";
import { addUsage, noUsage } from "../../run/events/usage";
import { isWarningCode } from "../../run/events/warnings";
import type { RunNode, RunState } from "./run-state";

/** A run of which no event is known yet. */
export const emptyRunState: RunState = {
  status: "INIT",
  seq: 0,
  flow: "",
  input: { text: "" },
  output: { text: "" },
  usage: noUsage,
  simulated: false,
  waiting: 0,
  warnings: 0,
  nodes: [],
};

/** The new state while one batch is folded into it; its nodes are replaced, never changed. */
interface RunStateDraft extends RunState {
  nodes: RunNode[];
}

/**
 * The state after `events`, which come in the order of their `seq`. Never throws and never changes `state`: what changed
 * is a new object, every other node keeps its identity, and when nothing is new `state` itself is returned.
 *
 * Events that were folded before (`seq` not above `state.seq`) are skipped, so a replay does no harm; gaps and events of
 * unknown nodes are tolerated; what has ended stays as it ended.
 *
 * Streamed text shows on its llm_call and on the agent above it: while an agent runs, its output is the text of the
 * model call that spoke last. `node.finished` brings the output that counts. Each model call that ends adds its usage to
 * everything above it that still runs, and to the run.
 */
export function foldEvents(state: RunState, events: readonly RunEvent[]): RunState {
  let draft: RunStateDraft | null = null;
  for (const event of events) {
    if (event.seq <= (draft ?? state).seq) continue;
    draft ??= { ...state, nodes: [...state.nodes] };
    draft.seq = event.seq;
    foldEvent(draft, event);
  }
  return draft ?? state;
}

/** The node of that id, or undefined. Nodes are in the order of their ids. */
export function findNode(state: RunState, id: number): RunNode | undefined {
  const node = state.nodes[indexOfNode(state.nodes, id)];
  return node?.id === id ? node : undefined;
}

/**
 * The state without the nodes that have ended, for a writer that has stored them: no event changes them any more, and the
 * nodes of a large run are most of its memory. Without any the state itself is returned.
 */
export function dropEndedNodes(state: RunState): RunState {
  const nodes = state.nodes.filter(({ status }) => !isTerminal(status));
  return nodes.length === state.nodes.length ? state : { ...state, nodes };
}

function foldEvent(draft: RunStateDraft, event: RunEvent): void {
  switch (event.type) {
    case "run.started":
      startRun(draft, event);
      break;
    case "node.started":
      startNode(draft, event);
      break;
    case "request.sent":
      update(draft, event.id, () => ({ request: toRequest(event), response: undefined }));
      break;
    case "response.received":
      update(draft, event.id, () => ({ response: event.body }));
      break;
    case "text.appended":
    case "reasoning.appended":
      append(draft, event);
      break;
    case "attempt.failed":
      failAttempt(draft, event);
      break;
    case "run.paused":
    case "run.resumed":
      pauseOrResumeRun(draft, event);
      break;
    case "decision.made":
      decide(draft, event);
      break;
    case "attempt.queued":
      queueAttempt(draft, event);
      break;
    case "node.noted":
      note(draft, event, { code: event.code, message: event.message });
      break;
    case "message.injected":
      note(draft, event, { code: "message", message: event.text, ...(event.by !== undefined && { by: event.by }) });
      break;
    case "answer.requested":
      update(draft, event.id, () => ({
        status: "WAITING",
        question: { ...event.request, at: event.at, number: event.seq },
        answer: undefined,
      }));
      break;
    case "answer.given":
      update(draft, event.id, (node) => ({
        status: "RUNNING",
        answer: { ...event.answer, at: event.at },
        ...(node.question?.type === "tool" && { input: toCallInput(node, event.answer) }),
      }));
      break;
    case "node.finished":
      finishNode(draft, event);
      break;
    case "run.finished":
      finishRun(draft, event);
      break;
  }
}

function startNode(draft: RunStateDraft, event: RunEventOf<"node.started">): void {
  const nodeIndex = indexOfNode(draft.nodes, event.id);
  if (draft.nodes[nodeIndex]?.id === event.id) return;
  draft.nodes.splice(nodeIndex, 0, {
    id: event.id,
    parent: event.parent,
    path: event.path,
    kind: event.kind,
    name: event.name,
    status: "RUNNING",
    startedAt: event.at,
    input: event.input,
    output: { text: "" },
    reasoning: "",
    attempts: [],
    usage: noUsage,
    metadata: {},
    simulated: false,
  });
}

function startRun(draft: RunStateDraft, event: RunEventOf<"run.started">): void {
  if (!isTerminal(draft.status)) draft.status = "RUNNING";
  draft.flow = event.flow;
  draft.input = event.input;
  draft.startedAt = event.at;
  draft.simulated = event.simulated ?? false;
  if (event.parameters) draft.parameters = event.parameters;
}

function pauseOrResumeRun(draft: RunStateDraft, event: RunEventOf<"run.paused" | "run.resumed">): void {
  if (event.type === "run.resumed") {
    draft.resumedAt = [...(draft.resumedAt ?? []), event.at];
    if (draft.status === "PAUSED") draft.status = draft.waiting > 0 ? "WAITING" : "RUNNING";
  } else if (!isTerminal(draft.status)) draft.status = "PAUSED";
}

function append(
  draft: RunStateDraft,
  { type, id, at: time, text }: RunEventOf<"text.appended" | "reasoning.appended">,
): void {
  const isText = type === "text.appended";
  const call = update(draft, id, ({ output, reasoning, firstTokenAt = time }) =>
    isText ? { output: { text: output.text + text }, firstTokenAt } : { reasoning: reasoning + text, firstTokenAt },
  );
  if (call?.parent === undefined) return;
  update(draft, call.parent, ({ output, firstTokenAt = time }) => ({
    output: isText ? call.output : output,
    firstTokenAt,
  }));
}

function note(
  draft: RunStateDraft,
  event: { id: number; at: number },
  noted: { code: string; message: string; by?: string },
): void {
  const node = update(draft, event.id, ({ notes = [] }) => ({ notes: [...notes, { at: event.at, ...noted }] }));
  if (node && isWarningCode(noted.code)) draft.warnings++;
}

/** A branch shows the side that it takes; the list of a loop shows in its rounds. */
function decide(draft: RunStateDraft, { id, decision }: RunEventOf<"decision.made">): void {
  update(draft, id, ({ kind, metadata }) => (kind === "branch" ? { metadata: { ...metadata, taken: decision } } : {}));
}

const toRequest = ({ provider, url, body, at: time, dropped }: RunEventOf<"request.sent">): RunNode["request"] => ({
  provider,
  url,
  body,
  at: time,
  ...(dropped && { dropped }),
});

/** What an attempt had produced before another one follows belongs to it, not to the answer. */
function queueAttempt(draft: RunStateDraft, { id, waitMs }: RunEventOf<"attempt.queued">): void {
  update(draft, id, ({ attempts, queuedMs = 0 }) => {
    const last = attempts.at(-1);
    const queued = { queuedMs: queuedMs + waitMs };
    if (!last) return queued;
    return { ...queued, attempts: [...attempts.slice(0, -1), { ...last, queuedMs: (last.queuedMs ?? 0) + waitMs }] };
  });
}

function failAttempt(draft: RunStateDraft, event: RunEventOf<"attempt.failed">): void {
  const call = update(draft, event.id, ({ attempts, output, reasoning, usage: usedBefore }) => {
    const attempt = toAttempt(event);
    const usage = event.usage ? addUsage(usedBefore, event.usage) : usedBefore;
    if (event.waitMs === undefined || (output.text === "" && reasoning === ""))
      return { attempts: [...attempts, attempt], usage };
    return { attempts: [...attempts, { ...attempt, output }], output: { text: "" }, reasoning: "", usage };
  });
  if (call?.parent !== undefined && call.attempts.at(-1)?.output !== undefined)
    update(draft, call.parent, () => ({ output: { text: "" } }));
}

const toAttempt = ({
  attempt,
  at: time,
  error,
  waitMs,
}: RunEventOf<"attempt.failed">): RunNode["attempts"][number] => ({
  attempt,
  at: time,
  error,
  ...(waitMs !== undefined && { waitMs }),
});

/** The arguments that a tool is called with: a person may have replaced those of the model, which stay in the question. */
function toCallInput({ question, input }: RunNode, { decision, text }: HumanInputAnswer): Payload {
  const called = decision === "approved" ? (text ?? question?.text) : question?.text;
  return called === undefined ? input : { text: called };
}

function finishNode(draft: RunStateDraft, event: RunEventOf<"node.finished">): void {
  const node = update(draft, event.id, (before) => ({
    status: event.status,
    endedAt: event.at,
    output: event.output,
    usage: event.usage,
    error: event.error,
    metadata: event.metadata ?? before.metadata,
    simulated: event.simulated ?? false,
  }));
  if (node?.kind !== "llm_call") return;
  draft.usage = addUsage(draft.usage, node.usage);
  draft.simulated ||= node.simulated;
  addUpwards(draft, node);
}

/** Ids grow from parent to child, so this ends even when events name parents in a ring. */
function addUpwards(draft: RunStateDraft, call: RunNode): void {
  let { id, parent } = call;
  while (parent !== undefined && parent < id) {
    const above = update(draft, parent, (node) => ({
      usage: addUsage(node.usage, call.usage),
      simulated: node.simulated || call.simulated,
    }));
    [id, parent] = [parent, above?.parent];
  }
}

function finishRun(draft: RunStateDraft, event: RunEventOf<"run.finished">): void {
  if (isTerminal(draft.status)) return;
  draft.status = event.status;
  draft.endedAt = event.at;
  draft.output = event.output;
  draft.usage = event.usage;
  draft.error = event.error;
  draft.simulated ||= event.simulated ?? false;
}

/** Replaces a node that has not ended by one with `change` applied; the new node, or undefined when there is none. */
function update(draft: RunStateDraft, id: number, change: (node: RunNode) => Partial<RunNode>): RunNode | undefined {
  const nodeIndex = indexOfNode(draft.nodes, id);
  const node = draft.nodes[nodeIndex];
  if (node?.id !== id || isTerminal(node.status)) return undefined;
  const changed = { ...node, ...change(node) };
  draft.nodes[nodeIndex] = changed;
  if (changed.status !== node.status) countWaiting(draft, node, changed);
  return changed;
}

/** A run waits for a person as long as one of its nodes does. */
function countWaiting(draft: RunStateDraft, before: RunNode, after: RunNode): void {
  draft.waiting += Number(after.status === "WAITING") - Number(before.status === "WAITING");
  if (draft.status === "WAITING" || draft.status === "RUNNING")
    draft.status = draft.waiting > 0 ? "WAITING" : "RUNNING";
}

/** The index of the node of `id`, or where it belongs. Constant time while ids have no gaps; else binary search. */
function indexOfNode(nodes: readonly RunNode[], id: number): number {
  if (nodes[id - 1]?.id === id) return id - 1;
  const last = nodes.at(-1);
  if (!last || last.id < id) return nodes.length;
  return findBoundary(nodes.length, (index) => (nodes[index]?.id ?? id) >= id);
}
