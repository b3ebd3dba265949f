"use client";
import { FileInput, LayoutTemplate, Plus, Waypoints } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { FlowSummary } from "@/lib/server/flows/queries";
import type { Template } from "@/lib/templates/files";
import { Button } from "../_ui/controls/button";
import { EmptyState } from "../_ui/controls/empty-state";
import { fetchJson } from "../_ui/loading/fetch-json";
import { loadPart } from "../_ui/loading/load-part";
import { showError } from "../_ui/toast/show-error";
import { FirstRun } from "./first-run";
import { FlowRow } from "./flow-row";

const DeleteFlowDialog = dynamic(() => loadPart(() => import("./delete-flow-dialog")), { ssr: false });
const ImportFlowDialog = dynamic(() => loadPart(() => import("./import-flow-dialog")), { ssr: false });
const TemplateDialog = dynamic(() => loadPart(() => import("./template-dialog")), { ssr: false });

interface FlowListProps {
  flows: readonly FlowSummary[];
  demoInput: string;
  templates: readonly Template[];
}

/** Every flow of the viewer, and the way to a first result while nothing has run yet. */
export function FlowList({ flows, demoInput, templates }: FlowListProps) {
  const router = useRouter();
  const [deleting, setDeleting] = useState<FlowSummary | null>(null);
  const [creating, setCreating] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [importing, setImporting] = useState(false);
  const create = async (source?: string): Promise<void> => {
    setCreating(true);
    try {
      const { id } = await fetchJson<{ id: string }>("/api/v1/flows", { json: source === undefined ? {} : { source } });
      router.push(`/flows/${id}`);
    } catch (error) {
      showError(error);
      setCreating(false);
    }
  };
  const demoFlow = flows.length === 1 && flows[0]?.lastRun === null && flows[0].errors === 0 ? flows[0] : null;
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-4 px-4 py-6">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="font-semibold text-lg">Flows</h1>
        <Button className="ml-auto" disabled={creating} onClick={() => setImporting(true)}>
          <FileInput size={14} aria-hidden /> Import…
        </Button>
        <Button disabled={creating} onClick={() => setChoosing(true)}>
          <LayoutTemplate size={14} aria-hidden /> From a template
        </Button>
        <Button variant={demoFlow ? "secondary" : "primary"} pending={creating} onClick={() => void create()}>
          <Plus size={14} aria-hidden /> New flow
        </Button>
      </div>
      {demoFlow && <FirstRun flow={demoFlow} input={demoInput} />}
      {flows.length === 0 ? (
        <EmptyState icon={<Waypoints size={32} aria-hidden />} title="No flows yet">
          <p>A flow says which agents work after one another and which at once, for example:</p>
          <code className="rounded-md border bg-surface-sunken px-3 py-2 font-mono text-text">
            planner &gt;&gt; (researcher | analyst) &gt;&gt; writer
          </code>
        </EmptyState>
      ) : (
        <ul className="divide-y overflow-hidden rounded-lg border">
          {flows.map((flow) => (
            <FlowRow key={flow.id} flow={flow} onDelete={() => setDeleting(flow)} />
          ))}
        </ul>
      )}
      {choosing && (
        <TemplateDialog
          templates={templates}
          pending={creating}
          onClose={() => setChoosing(false)}
          onChoose={(source) => void create(source)}
        />
      )}
      {importing && (
        <ImportFlowDialog
          pending={creating}
          onClose={() => setImporting(false)}
          onCreate={(source) => void create(source)}
        />
      )}
      {deleting && <DeleteFlowDialog flow={deleting} onClose={() => setDeleting(null)} />}
    </div>
  );
}
