import "server-only";
import { orchestrateTools } from "@/lib/core/kinds/engine-tools";

/** Every tool that a flow can give an agent, apart from the engine's own. */
export const toolNames = [
  "calculator",
  "current_time",
  "read_page",
  "http_request",
  "web_search",
  "file_read",
  "file_write",
  "apply_patch",
  "get_diffs",
  "dependency_graph",
] as const;
export type ToolName = (typeof toolNames)[number];

/** The tools for which the server can require approval: those whose names depend on no flow. */
export const approvableTools = [...toolNames, "ask_human", ...orchestrateTools] as const;
