import type { RunError } from "../events/events";
import type { Message, ToolCall } from "../events/messages";

/** The moments of an agent at which hooks are called. */
export const hookPoints = [
  "START",
  "FINISHED",
  "ERROR",
  "PRE_LLM_CALL",
  "POST_LLM_CALL",
  "PRE_TOOL_CALL",
  "POST_TOOL_CALL",
] as const;
export type HookPoint = (typeof hookPoints)[number];

/** What a hook receives; optional fields depend on the point. */
export interface HookContext {
  point: HookPoint;
  agent: string;
  path: string;
  /** START: the input. FINISHED, POST_LLM_CALL: the answer. POST_TOOL_CALL: the result. */
  text?: string;
  /** PRE_LLM_CALL: the messages of the request. */
  messages?: readonly Message[];
  /** PRE_TOOL_CALL, POST_TOOL_CALL. */
  call?: ToolCall;
  /** ERROR, and the failure of a model or tool call. */
  error?: RunError | undefined;
}
export type Hook = (context: HookContext) => void | Promise<void>;

/** Hooks of one or several runs, called one after another in the order in which they were added. */
export class Hooks {
  readonly #hooks = new Map<HookPoint, Hook[]>();

  on(point: HookPoint, hook: Hook): this {
    this.#hooks.set(point, [...(this.#hooks.get(point) ?? []), hook]);
    return this;
  }

  /** Removes a hook; if it was added twice, the first one. An unknown hook is no error. */
  off(point: HookPoint, hook: Hook): this {
    const hooks = this.#hooks.get(point) ?? [];
    const index = hooks.indexOf(hook);
    if (index >= 0) this.#hooks.set(point, hooks.toSpliced(index, 1));
    return this;
  }

  /** Throws what a hook throws; later hooks are not called then. */
  async call(context: HookContext): Promise<void> {
    for (const hook of this.#hooks.get(context.point) ?? []) await hook(context);
  }

  has(point: HookPoint): boolean {
    return (this.#hooks.get(point)?.length ?? 0) > 0;
  }
}
