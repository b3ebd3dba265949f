import { Pencil } from "lucide-react";
import Link from "next/link";
import type { FailureAction } from "@/lib/core/trace/model/failure";
import { buttonClass } from "../_ui/controls/button";
import { CopyButton } from "../_ui/controls/copy-button";
import { ConnectButton } from "./connect-button";

interface RemedyProps {
  runId: string;
  flowId: string;
  /** The line with the failure offers the retry. */
  action: Exclude<FailureAction, { type: "retry" }>;
  /** In the panel of the step: with more words. */
  isPrimary?: boolean;
}

export function Remedy({ runId, flowId, action, isPrimary = false }: RemedyProps) {
  const variant = isPrimary ? "primary" : "secondary";
  switch (action.type) {
    case "connect":
      return (
        <>
          <ConnectButton runId={runId} provider={action.provider} label={action.label} variant={variant} />
          {isPrimary && (
            <div className="flex min-w-0 items-center gap-1">
              <p>
                Or set <code className="font-mono text-xs">{action.variable}</code> and start the app again.
              </p>
              <CopyButton text={action.variable} label={`Copy ${action.variable}`} />
            </div>
          )}
        </>
      );
    case "open-editor": {
      const select = action.key === null ? "" : `?select=${encodeURIComponent(action.key)}`;
      return (
        <Link href={`/flows/${flowId}${select}`} className={buttonClass(variant, "small")}>
          <Pencil size={14} aria-hidden /> {action.label}
        </Link>
      );
    }
  }
}
