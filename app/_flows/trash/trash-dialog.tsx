import { Trash2, Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { countNouns } from "@/lib/core/flow/format-count";
import type { TrashedFlow } from "@/lib/server/flows/trash";
import { Button } from "../../_ui/controls/button";
import { Dialog } from "../../_ui/controls/dialog";
import { EmptyState } from "../../_ui/controls/empty-state";
import { LoadProblem } from "../../_ui/controls/load-problem";
import { RelativeTime } from "../../_ui/format/relative-time";
import { fetchJson, fetchText } from "../../_ui/loading/fetch-json";
import { useLoaded } from "../../_ui/loading/use-loaded";
import { showError } from "../../_ui/toast/show-error";
import { restoreFlow } from "./restore-flow";
import { trashSchema } from "./trash-schema";

const dayMs = 86_400_000;

interface TrashDialogProps {
  onRestored(id: string): void;
  onClose(): void;
}

export default function TrashDialog({ onRestored, onClose }: TrashDialogProps) {
  const router = useRouter();
  const [goneIds, setGoneIds] = useState<readonly string[]>([]);
  const { value, problem, retry } = useLoaded({ key: "trash" }, (signal) =>
    fetchJson("/api/v1/flows?trash=1", trashSchema, { signal }),
  );
  const flows = value?.flows.filter(({ id }) => !goneIds.includes(id));
  const change = async (id: string, request: Promise<unknown>): Promise<void> => {
    try {
      await request;
      setGoneIds((ids) => [...ids, id]);
      router.refresh();
    } catch (error) {
      showError(error);
    }
  };
  const restore = async (id: string): Promise<void> => {
    await restoreFlow(id);
    onRestored(id);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Trash"
      description="Deleted flows stay here for 30 days with their versions and runs."
    >
      {problem !== null ? (
        <LoadProblem onRetry={retry}>The trash could not be loaded: {problem}</LoadProblem>
      ) : !flows ? (
        <p className="min-h-24 text-text-muted">Reading the trash…</p>
      ) : flows.length === 0 ? (
        <EmptyState icon={<Trash2 size={28} aria-hidden />} title="The trash is empty">
          <p>Flows that you delete can be restored from here.</p>
        </EmptyState>
      ) : (
        <ul aria-label="Flows in the trash" className="divide-y rounded-md border">
          {flows.map((flow) => (
            <TrashRow
              key={flow.id}
              flow={flow}
              onRestore={() => change(flow.id, restore(flow.id))}
              onPurge={() => change(flow.id, fetchText(`/api/v1/flows/${flow.id}?purge=1`, { method: "DELETE" }))}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface TrashRowProps {
  flow: TrashedFlow;
  onRestore(): Promise<void>;
  onPurge(): Promise<void>;
}

function TrashRow({ flow, onRestore, onPurge }: TrashRowProps) {
  const [pending, setPending] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { name, runs, deletedAt, purgeAt } = flow;
  const run = async (action: () => Promise<void>): Promise<void> => {
    setPending(true);
    await action();
    setPending(false);
  };
  const daysLeft = Math.max(1, Math.ceil((purgeAt - Date.now()) / dayMs));
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2">
      <div className="min-w-40 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-text-muted text-xs">
          {countNouns(runs, "run")} · deleted <RelativeTime at={deletedAt} isShort />, {countNouns(daysLeft, "day")}{" "}
          left
        </p>
      </div>
      {isAsking ? (
        <div className="flex w-full flex-wrap items-center justify-end gap-2">
          <span className="mr-auto text-danger">
            {runs === 0 ? "It cannot be restored." : `Its ${countNouns(runs, "run")} will be deleted, too.`}
          </span>
          <span className="ml-auto flex gap-2">
            <Button size="small" onClick={() => setAsking(false)}>
              Keep
            </Button>
            <Button size="small" variant="danger" pending={pending} onClick={() => void run(onPurge)}>
              Delete for good
            </Button>
          </span>
        </div>
      ) : (
        <div className="flex gap-2 max-sm:w-full max-sm:justify-end">
          <Button size="small" aria-label={`Restore ${name}`} pending={pending} onClick={() => void run(onRestore)}>
            <Undo2 size={14} aria-hidden /> Restore
          </Button>
          <Button size="small" variant="ghost" aria-label={`Delete ${name} for good`} onClick={() => setAsking(true)}>
            Delete…
          </Button>
        </div>
      )}
    </li>
  );
}
