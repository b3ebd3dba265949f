import type { Json } from "../../flow/flow";
import type {
  DroppedParameter,
  HumanInputAnswer,
  HumanInputRequest,
  Payload,
  RunError,
  RunNodeKind,
  RunStatus,
} from "../../run/events/events";
import type { Usage } from "../../run/events/usage";

/** One persisted step of a run, as folded from its events. Replaced, never changed, when an event concerns it. */
export interface RunNode {
  id: number;
  parent?: number;
  path: string;
  kind: RunNodeKind;
  name: string;
  status: RunStatus;
  /** Milliseconds since the epoch. */
  startedAt: number;
  endedAt?: number;
  /** First streamed text or reasoning. */
  firstTokenAt?: number;
  input: Payload;
  output: Payload;
  reasoning: string;
  /** The whole length of `reasoning` in UTF-16 units, where only its beginning is here. */
  reasoningLength?: number;
  /** llm_call: what went over the wire, last attempt; `at`: when, in milliseconds since the epoch. */
  request?: { provider: string; url: string; body: Payload; at?: number; dropped?: readonly DroppedParameter[] };
  /** llm_call: the provider's response to the last attempt, as JSON text. */
  response?: Payload;
  /** Failed attempts, in order. */
  attempts: readonly { attempt: number; at: number; error: RunError; waitMs?: number }[];
  /** llm_call: how long its attempts waited for their turn at the provider, in milliseconds. */
  queuedMs?: number;
  /** What a reader of the run should know, in order; `by`: who sent a message to an agent. */
  notes?: readonly { at: number; code: string; message: string; by?: string | undefined }[];
  /** What a person was asked last (`number`: its event), and the answer. While there is none, the node is WAITING. */
  question?: HumanInputRequest & { at: number; number: number };
  answer?: HumanInputAnswer & { at: number };
  usage: Usage;
  error?: RunError;
  metadata: Readonly<Record<string, Json>>;
  simulated: boolean;
}

/** The run as folded from its events: the same on server and client. */
export interface RunState {
  status: RunStatus;
  /** Sequence of the last event folded; 0 before the first. */
  seq: number;
  flow: string;
  input: Payload;
  output: Payload;
  startedAt?: number;
  endedAt?: number;
  usage: Usage;
  error?: RunError;
  simulated: boolean;
  /** How many nodes wait for a person. */
  waiting: number;
  /** How many notes of its nodes are warnings. */
  warnings: number;
  /** In order of starting. */
  nodes: readonly RunNode[];
}
