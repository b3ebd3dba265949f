import { useState } from "react";
import { findMisfits } from "@/lib/core/check/check-model-fit";
import type { ToolOffer } from "@/lib/core/check/offer";
import type { Agent } from "@/lib/core/kinds/agent";
import { useSession } from "../../../state/session-context";
import { setTool, toggleEntry } from "../fields/agent-edits";
import { inputClass } from "../fields/fields";
import { ToolRow } from "./tool-row";

const searchFrom = 6;

/** Unavailable tools stay listed, so that they can be removed. */
export function ToolsField({ agent }: { agent: Agent }) {
  const { seed, actions } = useSession();
  const [query, setQuery] = useState("");
  const { tools: chosen, needs_approval: approved, model = "" } = agent;
  const warning = findMisfits(agent, model).find(({ field }) => field === "tools")?.reason;
  const offered = new Set(seed.tools.map((tool) => tool.name));
  const unknown = chosen
    .filter((name) => !offered.has(name))
    .map((name): ToolOffer => ({ name, description: "No provider has this tool.", available: false }));
  const all = [...unknown, ...seed.tools];
  const matches = all.filter((tool) => isFound(tool, query));
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium text-text-muted text-xs">
        Tools{chosen.length > 0 && <span className="tabular-nums"> ({chosen.length})</span>}
      </legend>
      {warning && <p className="text-warning text-xs">{warning}</p>}
      {all.length >= searchFrom && (
        <input
          type="search"
          aria-label="Search tools"
          placeholder="Search tools"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className={`${inputClass} text-xs`}
        />
      )}
      <ul className="grid max-h-80 gap-0.5 overflow-y-auto" aria-label="Tools">
        {matches.map((tool) => (
          <ToolRow
            key={tool.name}
            tool={tool}
            isChosen={chosen.includes(tool.name)}
            needsApproval={approved.includes(tool.name)}
            onChoose={(isOn) => actions.edit(...setTool(agent, tool.name, isOn))}
            onApprove={(isOn) => actions.edit(toggleEntry(agent, "needs_approval", tool.name, isOn))}
          />
        ))}
      </ul>
      {matches.length === 0 && <p className="text-text-muted text-xs">No tool matches.</p>}
    </fieldset>
  );
}

function isFound({ name, description }: ToolOffer, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = `${name} ${name.replaceAll("_", " ")} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
