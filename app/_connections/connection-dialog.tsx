"use client";
import { useRef } from "react";
import type { ConnectionDetail } from "@/lib/server/connections/queries";
import { Dialog } from "../_ui/controls/dialog";
import { LoadProblem } from "../_ui/controls/load-problem";
import { useLoaded } from "../_ui/loading/use-loaded";
import { ConnectionForm } from "./connection-form";
import { requestConnections } from "./requests";

interface ConnectionDialogProps {
  provider: string;
  /** An address to begin with. */
  baseUrl?: string;
  /** What saving leads to, for the button; missing: "Save". */
  saveLabel?: string;
  /** Called with the connection once it holds. */
  onSaved(connection: ConnectionDetail): void;
  onClose(): void;
}

/** Asks for the key and the address of a provider. Load it with `LazyConnectionDialog`. */
export default function ConnectionDialog({ provider, baseUrl, saveLabel, onSaved, onClose }: ConnectionDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const { value, problem, retry } = useLoaded({ key: provider }, requestConnections);
  const connection = value?.find((candidate) => candidate.provider === provider);
  const isReplaced = connection?.source === "entered" && connection.hasKey;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={
        connection ? `${isReplaced ? "Change the connection to" : "Connect"} ${connection.label}` : "Connect a provider"
      }
      firstFocus={field}
    >
      {connection ? (
        <ConnectionForm
          connection={connection}
          initialUrl={baseUrl}
          saveLabel={saveLabel}
          firstField={field}
          onSaved={onSaved}
          onClose={onClose}
        />
      ) : problem === null && value === null ? (
        <p role="status" className="text-text-muted">
          Loading …
        </p>
      ) : (
        <LoadProblem onRetry={retry}>{problem ?? `There is no provider "${provider}" to connect.`}</LoadProblem>
      )}
    </Dialog>
  );
}
