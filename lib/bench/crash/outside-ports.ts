import { z } from "zod";
import type { RunContext } from "@/lib/core/run/ports/run-context";
import type { Tool, ToolPort } from "@/lib/core/run/ports/tool";
import { createModelPort } from "@/lib/server/models/model-port";
import { parseAllowList } from "@/lib/server/net/allow-list";
import { runWorld } from "@/lib/server/run-world";
import { defineTool } from "@/lib/server/tools/define-tool";
import { createHttpRequest } from "@/lib/server/tools/http-request";

/** The ports of runs whose models and tools are those of an `OutsideServer`. */
export function toOutsideContext(origin: string): Omit<RunContext, "signal"> {
  const recordNote = defineTool({
    name: "record_note",
    description: "Records a note",
    input: z.strictObject({ text: z.string() }),
    execute: async (_input, { idempotencyKey, signal }) => {
      const url = `${origin}/effects/${encodeURIComponent(idempotencyKey)}`;
      return (await fetch(url, { method: "POST", signal })).text();
    },
  });
  const allow = parseAllowList(new URL(origin).host);
  const httpRequest = createHttpRequest({ allow: () => allow, ownPort: () => 0 });
  const tools: readonly Tool[] = [recordNote, httpRequest];
  const toolPort: ToolPort = { find: (name) => tools.find(({ spec }) => spec.name === name) ?? null };
  return { ...runWorld, models: createModelPort({ COMPATIBLE_BASE_URL: `${origin}/v1` }), tools: toolPort };
}
