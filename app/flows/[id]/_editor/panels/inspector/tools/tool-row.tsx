import { ChevronRight } from "lucide-react";
import { useId } from "react";
import type { ToolOffer } from "@/lib/core/check/offer";
import { CheckField } from "../fields/fields";
import { describeArguments } from "./describe-arguments";

interface ToolRowProps {
  tool: ToolOffer;
  isChosen: boolean;
  needsApproval: boolean;
  onChoose(isChosen: boolean): void;
  onApprove(needsApproval: boolean): void;
}

export function ToolRow({ tool, isChosen, needsApproval, onChoose, onApprove }: ToolRowProps) {
  const { name, description, missing, parameters } = tool;
  const id = useId();
  const about = [missing === undefined ? "" : `${id}-off`, `${id}-about`].join(" ").trim();
  return (
    <li className="rounded-md px-1 py-0.5 hover:bg-surface-hover">
      <div className="flex min-h-6 items-start justify-between gap-2">
        <label className="flex min-w-0 items-start gap-2 leading-5">
          <input
            type="checkbox"
            className="mt-0.5 size-4 shrink-0 accent-accent"
            aria-describedby={about}
            checked={isChosen}
            onChange={(event) => onChoose(event.target.checked)}
          />
          <span className="truncate font-mono text-xs">{name}</span>
        </label>
        {isChosen && (
          <CheckField
            label="Ask first"
            name={`A user approves each call of ${name}`}
            checked={needsApproval}
            onCommit={onApprove}
          />
        )}
      </div>
      <div className="pl-6 text-xs leading-4">
        {missing !== undefined && (
          <p id={`${id}-off`} className="text-warning">
            Not available here. An administrator can enable it: set {missing} and restart.
          </p>
        )}
        <p id={`${id}-about`} className="line-clamp-2 text-text-faint">
          {description}
        </p>
        {parameters && (
          <details className="group/arguments">
            <summary
              aria-label={`Arguments of ${name}`}
              className="flex min-h-6 w-fit cursor-pointer items-center gap-0.5 text-text-muted"
            >
              <ChevronRight size={12} aria-hidden className="group-open/arguments:rotate-90" />
              Arguments
            </summary>
            <Arguments tool={name} parameters={parameters} />
          </details>
        )}
      </div>
    </li>
  );
}

function Arguments({ tool, parameters }: { tool: string; parameters: NonNullable<ToolOffer["parameters"]> }) {
  const toolArguments = describeArguments(parameters);
  if (toolArguments.length === 0) return <p className="text-text-muted">No arguments.</p>;
  return (
    <table aria-label={`Arguments of ${tool}`} className="mb-1 w-full border-collapse text-left text-[11px]">
      <thead className="text-text-muted">
        <tr>
          <th className="border-line border-b py-0.5 pr-2 font-medium">Name</th>
          <th className="border-line border-b py-0.5 font-medium">What</th>
        </tr>
      </thead>
      <tbody>
        {toolArguments.map(({ name, type, required, description }) => (
          <tr key={name} className="align-top">
            <td className="border-line border-b py-0.5 pr-2 font-mono">{name}</td>
            <td className="border-line border-b py-0.5 wrap-anywhere">
              <span className="text-text-muted">
                {type}
                {required ? ", required" : ""}
              </span>{" "}
              {description}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
