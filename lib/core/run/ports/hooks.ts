import type { RunError } from "../events/events";
import type { Message, ToolCall } from "../events/messages";
import type { Engine } from "../scope/engine";
import { toErrorMessage } from "../scope/engine";
import { ScopeStop } from "../scope/scope";

/** The moments of an agent at which code of the program runs. */
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

/** What a hook is told. What there is depends on the point. */
export interface HookContext {
  point: HookPoint;
  agent: string;
  path: string;
  /** START: the input. FINISHED: the answer. POST_LLM_CALL: what the model said. POST_TOOL_CALL: the result. */
  text?: string;
  /** PRE_LLM_CALL: what is sent. */
  messages?: readonly Message[];
  /** PRE_TOOL_CALL, POST_TOOL_CALL. */
  call?: ToolCall;
  /** ERROR, and what came of a call that failed. */
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

  /** Takes a hook out; of one that was added twice the first. One that is not there is no error. */
  off(point: HookPoint, hook: Hook): this {
    const hooks = this.#hooks.get(point) ?? [];
    const place = hooks.indexOf(hook);
    if (place >= 0) this.#hooks.set(point, hooks.toSpliced(place, 1));
    return this;
  }

  /** Throws what a hook throws; the hooks behind it are not called. */
  async call(context: HookContext): Promise<void> {
    for (const hook of this.#hooks.get(context.point) ?? []) await hook(context);
  }

  has(point: HookPoint): boolean {
    return (this.#hooks.get(point)?.length ?? 0) > 0;
  }
}

/** Calls the hooks of a run. One that throws ends the whole run: whoever called sees the stop in its scope. */
export async function callHooks({ options, scope }: Engine, context: HookContext): Promise<void> {
  if (!options.hooks?.has(context.point)) return;
  try {
    await options.hooks.call(context);
  } catch (error) {
    const message = `A ${context.point} hook failed: ${toErrorMessage(error)}`;
    scope.stopBecause(new ScopeStop("FAILED", { code: "hook", message, path: context.path }));
  }
}
