import { parseFlow } from "@/lib/core/dsl/parse";
import { printFlow } from "@/lib/core/dsl/print";
import type { Edit } from "@/lib/core/flow/edit";
import { namesOf } from "@/lib/core/flow/expression";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { hasErrors } from "@/lib/core/flow/problem";
import { readText } from "@/lib/core/source/yaml-view";
import type { EditorState } from "./store/editor";

/** The root flow on one line: as it is printed, or as it stands in the file while it cannot be read. */
export function rootFlowText({ flow, document }: Pick<EditorState, "flow" | "document">): string {
  const written = document.topologies.get(null)?.entries.get("flow")?.value ?? null;
  const isUnread = document.brokenParts.some(({ owner, type }) => owner === null && type === "members");
  const text = isUnread ? readText(written) : null;
  return text?.replaceAll(/\s+/g, " ").trim() ?? (flow.swarm.flow ? printFlow(flow.swarm.flow) : "");
}

/** Names in the flow that nothing is declared as, each once. */
export const unknownNames = (arrangement: EditorState["arrangement"]): string[] => [
  ...new Set(arrangement.nodes.flatMap((node) => (node.kind === "unknown" ? [node.name] : []))),
];

/** The edits that write `line` as the root flow. In a flow without agents every name becomes one. */
export function writeRootFlow(
  flow: Flow,
  line: string,
  model: string,
): { ok: true; edits: Edit[] } | { ok: false; messages: string[] } {
  const { expression, problems } = parseFlow(line);
  if (!expression || hasErrors(problems)) return { ok: false, messages: problems.map((problem) => problem.message) };
  const scope = { type: "root" } as const;
  const names = flow.agents.size === 0 ? [...new Set(namesOf(expression).map(({ name }) => name))] : [];
  const unknown = names.filter((name) => !findDeclaration(flow, name));
  return {
    ok: true,
    edits: [
      ...unknown.map((name): Edit => ({ type: "add-agent", name, model, scope })),
      { type: "set-flow-text", scope, text: line.trim() },
    ],
  };
}
