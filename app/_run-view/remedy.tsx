import { Pencil } from "lucide-react";
import Link from "next/link";
import type { FailureAction } from "@/lib/core/trace/model/failure";
import { RunAgainButton } from "../_run/run-again-button";
import { buttonClass } from "../_ui/controls/button";
import { CopyButton } from "../_ui/controls/copy-button";

export function Remedy({ runId, flowId, action }: { runId: string; flowId: string; action: FailureAction }) {
  switch (action.type) {
    case "set-variable":
      return (
        <div className="flex min-w-0 items-center gap-1">
          <p>
            Set <code className="font-mono text-xs">{action.variable}</code> for {action.provider} and start the app
            again.
          </p>
          <CopyButton text={action.variable} label={`Copy ${action.variable}`} />
        </div>
      );
    case "open-editor": {
      const select = action.key === null ? "" : `?select=${encodeURIComponent(action.key)}`;
      return (
        <Link href={`/flows/${flowId}${select}`} className={buttonClass("secondary", "small")}>
          <Pencil size={14} aria-hidden /> {action.label}
        </Link>
      );
    }
    case "run-again":
      return <RunAgainButton runId={runId} label="Run again now" />;
  }
}
