import type { Flow, RunLimits } from "../../flow/flow";
import type { RunParameters } from "../../flow/schemas/run-parameters";
import type { EventBus } from "../events/event-bus";
import type { Message } from "../events/messages";
import type { Journal } from "../journal/journal";
import type { Hooks } from "./hooks";
import type { Inbox } from "./inbox";
import type { PauseGate } from "./pause-gate";

/** A change of one node of a run. */
export interface NodeEdit {
  /** The input text; of a tool call its arguments as JSON text. */
  input?: string;
  /** agent: in place of its own. */
  instructions?: string;
  model?: string;
}

/** Options of a run that only a program can set: most of them are code, which a flow file cannot contain. */
export interface RunOptions {
  /** Precede the input of every agent of the root swarm and its groups; a nested swarm starts without them. */
  messages?: readonly Message[] | undefined;
  /** Replace the flow's own limits, one by one. */
  limits?: RunLimits;
  /** Replace the fields of every agent, one by one. A run that is resumed keeps those that it began with. */
  parameters?: RunParameters | undefined;
  /** By agent: creates its instructions when it starts, instead of those in the flow. */
  instructions?: Readonly<
    Record<string, (context: { agent: string; path: string; input: string }) => string | Promise<string>>
  >;
  /** By parallel group: joins its members' outputs, instead of the separator. */
  aggregate?: Readonly<Record<string, (outputs: readonly string[]) => string | Promise<string>>>;
  /** The models of the context are simulated ones, whatever the flow names: the run is marked so from its start. */
  simulated?: boolean;
  /** Identifies the run in the idempotency keys of its calls. */
  runId?: string;
  /** By path: what a node gets instead of what it would get. */
  edits?: ReadonlyMap<string, NodeEdit> | undefined;
  /** Of a fork: the flow of the run that it continues, where that is another one. */
  forkedFlow?: Flow | undefined;
  /** What earlier executors of this run recorded: the run goes on from there. */
  journal?: Journal | undefined;
  hooks?: Hooks;
  bus?: Pick<EventBus, "emit">;
  inbox?: Inbox;
  pause?: PauseGate;
}
