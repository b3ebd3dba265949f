import type { HookContext } from "../ports/hooks";
import { ScopeStop } from "../scope/cancel-scope";
import type { Engine } from "../scope/engine";
import { toErrorMessage } from "../scope/node-result";

/** Calls the hooks of a run. A hook that throws stops the whole run: callers check their scope. */
export async function callHooks({ options, scope }: Engine, context: HookContext): Promise<void> {
  if (!options.hooks?.has(context.point)) return;
  try {
    await options.hooks.call(context);
  } catch (error) {
    const message = `A ${context.point} hook failed: ${toErrorMessage(error)}`;
    scope.stopBecause(new ScopeStop("FAILED", { code: "hook", message, path: context.path }));
  }
}
