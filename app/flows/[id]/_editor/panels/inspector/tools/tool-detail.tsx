import type { ToolOffer } from "@/lib/core/check/offer";
import { CheckField } from "../fields/fields";
import { Disclosure } from "../fields/section";
import { describeArguments } from "./describe-arguments";
import { whyUnavailable } from "./describe-tool";

interface ToolDetailProps {
  tool: ToolOffer;
  needsApproval: boolean;
  onApprove(needsApproval: boolean): void;
}

export function ToolDetail({ tool, needsApproval, onApprove }: ToolDetailProps) {
  const { name, description, parameters } = tool;
  const warning = whyUnavailable(tool);
  return (
    <section aria-label={`Tool ${name}`} className="grid gap-1 rounded-md border border-line p-2 text-xs leading-4">
      {warning && <p className="text-warning">{warning}</p>}
      <p className="text-text-muted">{description}</p>
      <CheckField
        label="Ask a person before each call"
        name={`A user approves each call of ${name}`}
        checked={needsApproval}
        onCommit={onApprove}
      />
      {parameters && (
        <Disclosure summary={`Arguments of ${name}`}>
          <Arguments tool={name} parameters={parameters} />
        </Disclosure>
      )}
    </section>
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
