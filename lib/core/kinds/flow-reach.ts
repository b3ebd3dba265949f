import type { Flow } from "../flow/flow";
import { parseModel } from "../flow/model-name";

/** Tools that change something outside of a run, or send something out. */
const actingTools: ReadonlySet<string> = new Set(["http_request", "file_write", "apply_patch"]);

/**
 * What the agents of a flow reach beside it, sorted, each once: `model PROVIDER`, `tool NAME`, and `tool NAME without approval`
 * for tools that act. Simulated models reach nothing.
 */
export function listReach({ agents }: Flow): string[] {
  const reach = [...agents.values()].flatMap(({ model, fallback_model: fallback, tools, needs_approval: approved }) => [
    ...[model, fallback].flatMap((name) => {
      const provider = name === undefined ? undefined : parseModel(name).provider;
      return provider === undefined || provider === "demo" ? [] : [`model ${provider}`];
    }),
    ...tools.map((tool) =>
      actingTools.has(tool) && !approved.includes(tool) ? `tool ${tool} without approval` : `tool ${tool}`,
    ),
  ]);
  return [...new Set(reach)].sort();
}
