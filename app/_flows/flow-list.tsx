"use client";
import { FileInput, LayoutTemplate, Plus, Waypoints } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { FlowSummary } from "@/lib/server/flows/queries";
import type { Template } from "@/lib/templates/template";
import { Button } from "../_ui/controls/button";
import { EmptyState } from "../_ui/controls/empty-state";
import { createdSchema, fetchJson } from "../_ui/loading/fetch-json";
import { loadPart } from "../_ui/loading/load-part";
import { showError } from "../_ui/toast/show-error";
import { FirstRun } from "./first-run";
import { FlowRow } from "./flow-row";

const DeleteFlowDialog = dynamic(() => loadPart(() => import("./delete-flow-dialog")), { ssr: false });
const ImportDialog = dynamic(() => loadPart(() => import("../_formats/import-dialog")), { ssr: false });
const TemplateDialog = dynamic(() => loadPart(() => import("./template-dialog")), { ssr: false });

interface FlowListProps {
  flows: readonly FlowSummary[];
  demoInput: string;
  templates: readonly Template[];
}

export function FlowList({ flows, demoInput, templates }: FlowListProps) {
  const { pending, create } = useCreateFlow();
  const [dialog, setDialog] = useState<"template" | "import" | FlowSummary | null>(null);
  const close = (): void => setDialog(null);
  const [newestFlow] = flows;
  const demoFlow = flows.length === 1 && newestFlow?.lastRun === null && newestFlow.errors === 0 ? newestFlow : null;
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-4 px-4 py-6">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="font-semibold text-lg">Flows</h1>
        <Button className="ml-auto" disabled={pending} onClick={() => setDialog("import")}>
          <FileInput size={14} aria-hidden /> Import…
        </Button>
        <Button disabled={pending} onClick={() => setDialog("template")}>
          <LayoutTemplate size={14} aria-hidden /> From a template
        </Button>
        <Button variant={demoFlow ? "secondary" : "primary"} pending={pending} onClick={() => create()}>
          <Plus size={14} aria-hidden /> New flow
        </Button>
      </div>
      {demoFlow && <FirstRun flow={demoFlow} input={demoInput} />}
      {flows.length === 0 ? (
        <EmptyState icon={<Waypoints size={32} aria-hidden />} title="No flows yet">
          <p>A flow declares which agents run one after another and which run in parallel, for example:</p>
          <code className="rounded-md border bg-surface-sunken px-3 py-2 font-mono text-text">
            planner &gt;&gt; (researcher | analyst) &gt;&gt; writer
          </code>
        </EmptyState>
      ) : (
        <ul className="divide-y overflow-hidden rounded-lg border">
          {flows.map((flow) => (
            <FlowRow key={flow.id} flow={flow} onDelete={() => setDialog(flow)} />
          ))}
        </ul>
      )}
      {dialog === "template" ? (
        <TemplateDialog templates={templates} pending={pending} onClose={close} onChoose={create} />
      ) : dialog === "import" ? (
        <ImportDialog
          initialText=""
          model="demo:agent"
          onClose={close}
          renderActions={({ source }) => (
            <Button variant="primary" disabled={source === ""} pending={pending} onClick={() => create(source)}>
              Create a new flow
            </Button>
          )}
        />
      ) : (
        dialog && <DeleteFlowDialog flow={dialog} onClose={close} />
      )}
    </div>
  );
}

/** Creates a flow and opens it. Stays pending until the editor has replaced the page. */
function useCreateFlow(): { pending: boolean; create(source?: string): void } {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const create = (source?: string): void => {
    setPending(true);
    fetchJson("/api/v1/flows", createdSchema, { json: source === undefined ? {} : { source } }).then(
      ({ id }) => router.push(`/flows/${id}`),
      (error: unknown) => {
        showError(error);
        setPending(false);
      },
    );
  };
  return { pending, create };
}
