import "server-only";
import type { ToolSpec } from "@/lib/core/run/model";
import type { Tool, ToolPort } from "@/lib/core/run/tool";
import { calculator } from "./calculator";
import { currentTime } from "./current-time";
import { readPage } from "./read-page";

/** Every tool that an agent can be given, under the name that the flow file uses. */
const tools = {
  calculator,
  current_time: currentTime,
  read_page: readPage,
} satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;

const byName = new Map<string, Tool>(Object.entries(tools));

export const toolPort: ToolPort = { find: (name) => byName.get(name) ?? null };

/** What the tools are called, for the inspector and for `checkFlow`. */
export const toolSpecs: readonly ToolSpec[] = [...byName.values()].map((tool) => tool.spec);
