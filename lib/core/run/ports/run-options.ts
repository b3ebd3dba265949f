import type { RunLimits } from "../../flow/flow";
import type { EventBus } from "../events/event-bus";
import type { Message } from "../events/messages";
import type { Hooks } from "./hooks";
import type { Inbox } from "./inbox";

/** What dynamic instructions may go by. */
export interface InstructionsContext {
  agent: string;
  path: string;
  input: string;
}

/** What a program may give a run beside its flow. None of it can be said in a flow file: it is code. */
export interface RunOptions {
  /** Put before the question of every agent of the root swarm, its groups included; a nested swarm starts without them. */
  messages?: readonly Message[] | undefined;
  /** Take the place of the flow's own limits, one by one. */
  limits?: RunLimits;
  /** By agent: instructions made when the agent starts, instead of those in the flow. */
  instructions?: Readonly<Record<string, (context: InstructionsContext) => string | Promise<string>>>;
  /** By parallel group: how its members' answers become one, instead of the separator. */
  aggregate?: Readonly<Record<string, (outputs: readonly string[]) => string | Promise<string>>>;
  hooks?: Hooks;
  bus?: EventBus;
  inbox?: Inbox;
}
