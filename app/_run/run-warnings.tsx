import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { MessageText } from "@/app/_ui/text/message-text";
import { toPlainMessage } from "@/app/_ui/text/split-code";
import { countNouns, formatCount } from "@/lib/core/flow/format-count";
import type { RunWarning } from "@/lib/core/run/events/warnings";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { warningLabels } from "../_ui/badges/warning-badge";
import { Button } from "../_ui/controls/button";

interface RunWarningsProps {
  trace: TraceView;
  link: { onSelect(id: number): void } | { runId: string };
}

const mostAtFirst = 1;
const mostListed = 200;

export function RunWarnings({ trace, link }: RunWarningsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const count = trace.warningCount;
  if (count === 0) return null;
  const listed = firstWarnings(trace, isOpen ? mostListed : mostAtFirst);
  return (
    <section
      aria-label="Warnings"
      className="flex max-h-48 min-h-9 shrink-0 items-start gap-x-2.5 overflow-y-auto border-b bg-warning-soft px-3.5 py-2"
    >
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warning" />
      <ul className={`flex min-w-0 flex-1 gap-x-3 gap-y-1 ${isOpen ? "flex-col" : "items-center"}`}>
        {listed.map((warning) => (
          <li
            key={`${warning.node} ${warning.code} ${warning.message}`}
            className={isOpen ? "[overflow-wrap:anywhere]" : "min-w-0 truncate"}
            title={toPlainMessage(warning.message)}
          >
            <StepLink warning={warning} link={link} /> <b className="text-warning">{warningLabels[warning.code]}.</b>{" "}
            <MessageText text={warning.message} />
          </li>
        ))}
        {!isOpen && count > mostAtFirst && (
          <li className="-my-1 shrink-0">
            <Button size="small" variant="ghost" onClick={() => setIsOpen(true)}>
              Show all {countNouns(count, "warning")}
            </Button>
          </li>
        )}
        {isOpen && count > mostListed && <li>and {formatCount(count - mostListed)} more</li>}
      </ul>
    </section>
  );
}

const firstWarnings = (trace: TraceView, count: number): RunWarning[] =>
  [...trace.warnings]
    .toSorted(([a], [b]) => a - b)
    .slice(0, count)
    .flatMap(([span, warnings]) => {
      const path = trace.pathOf(span);
      return warnings.map((warning) => ({ ...warning, node: span + 1, path }));
    })
    .slice(0, count);

const linkClass = "rounded font-mono text-accent-text text-xs underline underline-offset-2 hover:no-underline";

function StepLink({ warning: { node, path }, link }: { warning: RunWarning; link: RunWarningsProps["link"] }) {
  const name = path === "/" ? "The run" : path;
  if ("runId" in link)
    return (
      <Link href={`/runs/${link.runId}?node=${node}`} className={linkClass}>
        {name}
      </Link>
    );
  return (
    <button type="button" onClick={() => link.onSelect(node)} className={linkClass}>
      {name}
    </button>
  );
}
