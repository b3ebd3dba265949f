"use client";

import type { ToolOffer } from "@/lib/core/flow/check";
import { useSession } from "../session-context";
import { CheckField } from "./fields";

/** Which of the agent's tools run only after a person said yes. */
export function ApprovalsField({ tools, chosen, onCommit }: ApprovalsFieldProps) {
  return (
    <fieldset className="grid gap-1">
      <legend className="text-xs font-medium text-text-muted">A person allows each call of</legend>
      {tools.map((name) => (
        <CheckField
          key={name}
          label={name}
          checked={chosen.includes(name)}
          onCommit={(checked) => onCommit(checked ? [...chosen, name] : chosen.filter((other) => other !== name))}
        />
      ))}
    </fieldset>
  );
}

interface ApprovalsFieldProps {
  tools: readonly string[];
  chosen: readonly string[];
  onCommit(tools: string[]): void;
}

/** Which tools the agent may call. A tool that nobody offers stays listed, so that it can be taken away. */
export function ToolsField({ chosen, onCommit }: { chosen: readonly string[]; onCommit(tools: string[]): void }) {
  const { seed } = useSession();
  const offered = new Set(seed.tools.map((tool) => tool.name));
  const unknown = chosen
    .filter((name) => !offered.has(name))
    .map((name): ToolOffer => ({ name, description: "Nobody offers this tool.", available: false }));
  return (
    <fieldset className="grid gap-1">
      <legend className="text-xs font-medium text-text-muted">Tools</legend>
      {[...seed.tools, ...unknown].map(({ name, description, missing }) => (
        <label key={name} className="flex items-start gap-2 rounded-md px-1 py-0.5 hover:bg-surface-hover">
          <input
            type="checkbox"
            className="mt-1 accent-accent"
            checked={chosen.includes(name)}
            onChange={(event) =>
              onCommit(event.target.checked ? [...chosen, name] : chosen.filter((other) => other !== name))
            }
          />
          <span className="min-w-0">
            <span className="font-mono text-xs">{name}</span>
            <span className="line-clamp-2 text-xs leading-4 text-text-faint">
              {missing ? <b className="font-medium text-warning">Off: set {missing} and start again. </b> : null}
              {description}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
