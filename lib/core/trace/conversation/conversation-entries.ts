import * as z from "zod/mini";
import { keyNames, keyOfPath, type NodeKey, nodeKey } from "../../flow/node-key";
import type { HumanInputAnswer, HumanInputRequest, Payload } from "../../run/events/events";
import { isAgentKind } from "../../run/events/run-node-traits";
import type { RunNode } from "../model/run-state";
import { callsOf } from "./call-messages";

/**
 * What an entry is. `given`: an agent received its task; `message`: a user sent it a message during its work;
 * `answer`: a model answered; `call`, `result`: a tool was called and returned; `handoff`: an agent handed over;
 * `question`, `reply`: a user was asked and answered.
 */
const entryTypes = ["given", "message", "answer", "call", "result", "handoff", "question", "reply"] as const;
export type ConversationEntryType = (typeof entryTypes)[number];

/** One entry of a run's conversation. */
const conversationEntrySchema = z.object({
  /** Grows from turn to turn of a run, with gaps. */
  id: z.number(),
  /** The step that it belongs to. */
  node: z.number(),
  type: z.enum(entryTypes),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** The agent that sends or receives it: the path of its step, or of the step in its place. */
  agent: z.object({ path: z.string(), name: z.string() }),
  /** The tool of a call and its result, the model of an answer, the target of a handoff, who replied; else empty. */
  about: z.string(),
  /** At most 2,000 UTF-16 units of the text; `length` is the whole length when there is more. */
  text: z.string(),
  length: z.optional(z.number()),
  /** answer: the model thought before it spoke. */
  reasoning: z.optional(z.boolean()),
  /** The step failed, or a user rejected it. */
  isError: z.optional(z.boolean()),
});
export type ConversationEntry = z.infer<typeof conversationEntrySchema>;

/** Some entries of a run's conversation, in order. A position is the number of an event, whose entry comes before it. */
export const conversationPageSchema = z.object({
  turns: z.readonly(z.array(conversationEntrySchema)),
  /** The positions before and after these entries, for the next queries. */
  previous: z.number(),
  next: z.number(),
  /** Whether there may be earlier ones, and whether there are more already. */
  earlier: z.boolean(),
  more: z.boolean(),
});
export type ConversationPage = z.infer<typeof conversationPageSchema>;

/** A turn that has not got its place among the others yet. */
export type NewConversationEntry = Omit<ConversationEntry, "id">;

export const entryTextLength = 2000;

function toText({ text, length = text.length }: Payload): Pick<ConversationEntry, "text" | "length"> {
  return length > entryTextLength ? { text: text.slice(0, entryTextLength), length } : { text };
}

/** The agent that a step is, or that a call belongs to: `key#llm-1#tool-1`. */
function toAgent({ path, name }: RunNode): ConversationEntry["agent"] {
  const agentPath = path.replace(/#llm-\d+(?:#fallback)?(?:#tool-\d+)?$/, "");
  return { path: agentPath, name: nameOf(agentPath) ?? name };
}

const nameOf = (path: string): string | undefined => keyNames(path === "/" ? "" : keyOfPath(path)).at(-1);

/** The lane that all entries of an agent share, whatever their round or visit. */
export const laneOf = (path: string): NodeKey => keyOfPath(path);

function toEntry(
  node: RunNode,
  type: ConversationEntryType,
  time: number,
  payload: Payload,
  about = "",
): NewConversationEntry {
  return { node: node.id, type, at: time, agent: toAgent(node), about, ...toText(payload) };
}

/** The entry of a step's start, if it has one. */
export function entryAtStart(node: RunNode): NewConversationEntry | null {
  const { kind, startedAt, input, name } = node;
  if (isAgentKind(kind)) return toEntry(node, "given", startedAt, input);
  if (kind === "tool_call") return toEntry(node, "call", startedAt, input, name);
  return kind === "handoff" ? toHandoff(node) : null;
}

/** A handoff belongs to the agent that hands over; its path is the swarm's. */
function toHandoff(node: RunNode): NewConversationEntry {
  const [source = "", target = ""] = node.name.split(" → ");
  const swarm = keyOfPath(node.path);
  const agent = { path: nodeKey(swarm === "/" ? "" : swarm, source), name: source };
  return { ...toEntry(node, "handoff", node.startedAt, node.input, target), agent };
}

/** The entry of a step's end, if it has one. A model call that only calls tools has none: the calls follow. */
export function entryAtEnd(node: RunNode): NewConversationEntry | null {
  const { kind, endedAt, output, name, error, reasoning } = node;
  if (endedAt === undefined || (kind !== "llm_call" && kind !== "tool_call")) return null;
  const payload = output.text === "" && error ? { text: error.message } : output;
  const failed = node.status === "SUCCESS" ? {} : { isError: true };
  if (kind === "tool_call") return { ...toEntry(node, "result", endedAt, payload, name), ...failed };
  if (payload.text === "" && reasoning === "" && callsOf(node).length > 0) return null;
  return {
    ...toEntry(node, "answer", endedAt, payload, name),
    ...failed,
    ...(reasoning !== "" && { reasoning: true }),
  };
}

/** When the first entry of a step is: that of a model call comes with its end. */
export const firstEntryAt = ({
  kind,
  startedAt,
  endedAt,
}: Pick<RunNode, "startedAt" | "endedAt"> & { kind: string }): number =>
  kind === "llm_call" ? (endedAt ?? startedAt) : startedAt;

/** What a person is asked: the message, and below it the text that it is about. */
export function entryOfQuestion(node: RunNode, question: HumanInputRequest & { at: number }): NewConversationEntry {
  const { message, text } = question;
  return toEntry(node, "question", question.at, { text: text ? `${message}\n\n${text}` : message });
}

export function entryOfAnswer(node: RunNode, answer: HumanInputAnswer & { at: number }): NewConversationEntry {
  const { decision, reason, text } = answer;
  const replyText = text ?? reason ?? (decision === "approved" ? "Yes." : "No.");
  const entry = toEntry(node, "reply", answer.at, { text: replyText }, answer.by);
  return { ...entry, ...(decision === "rejected" && { isError: true }) };
}

export const entryOfMessage = (node: RunNode, sent: SentMessage): NewConversationEntry =>
  toEntry(node, "message", sent.at, { text: sent.text }, sent.by);

interface SentMessage {
  at: number;
  text: string;
  by?: string | undefined;
}

/** The entries that a step alone gives. Of several questions only the last one is known. */
function entriesOf(node: RunNode): NewConversationEntry[] {
  const { notes = [], question, answer } = node;
  return [
    entryAtStart(node),
    ...notes
      .filter(({ code }) => code === "message")
      .map(({ message, ...sent }) => entryOfMessage(node, { ...sent, text: message })),
    question ? entryOfQuestion(node, question) : null,
    answer ? entryOfAnswer(node, answer) : null,
    entryAtEnd(node),
  ].filter((turn) => turn !== null);
}

/** The conversation of a run in order of time, by its steps alone; at the same moment in order of starting. */
export const toConversationEntries = (nodes: readonly RunNode[]): ConversationEntry[] =>
  nodes
    .flatMap(entriesOf)
    .toSorted((a, b) => a.at - b.at || a.node - b.node)
    .map((turn, index) => ({ ...turn, id: index + 1 }));
