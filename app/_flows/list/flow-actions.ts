import { useRouter } from "next/navigation";
import { useState } from "react";
import type { FlowSummary } from "@/lib/server/flows/list-flows";
import { fetchText } from "../../_ui/loading/fetch-json";
import { showError } from "../../_ui/toast/show-error";
import { offerAction } from "../../_ui/toast/toast";
import { restoreFlow } from "../trash/restore-flow";

/** What can be done with a flow of the list. */
export interface FlowActions {
  run(flow: FlowSummary): void;
  editTags(flow: FlowSummary): void;
  /** Who may do what in it. */
  showMembers(flow: FlowSummary): void;
  duplicate(flow: FlowSummary): void;
  moveToTrash(flow: FlowSummary): void;
  /** Resolves to false when the flow keeps its name. */
  rename(flow: FlowSummary, name: string): Promise<boolean>;
}

/** `hiddenIds`: flows that have just been moved to the trash. */
export function useFlowChanges(): {
  hiddenIds: ReadonlySet<string>;
  /** Shows a flow again that was taken out of the trash. */
  show(id: string): void;
  changes: Pick<FlowActions, "duplicate" | "moveToTrash" | "rename">;
} {
  const router = useRouter();
  const [hiddenIds, setHiddenIds] = useState<ReadonlySet<string>>(new Set());
  const setHidden = (id: string, isHidden: boolean): void =>
    setHiddenIds((ids) => new Set(isHidden ? [...ids, id] : [...ids].filter((other) => other !== id)));
  const undo = (id: string): void => {
    restoreFlow(id).then(() => {
      setHidden(id, false);
      router.refresh();
    }, showError);
  };
  return {
    hiddenIds,
    show: (id) => setHidden(id, false),
    changes: {
      duplicate({ id }) {
        fetchText(`/api/v1/flows/${id}/duplicate`, { method: "POST" }).then(() => router.refresh(), showError);
      },
      moveToTrash({ id, name }) {
        focusNeighbour(id);
        setHidden(id, true);
        fetchText(`/api/v1/flows/${id}`, { method: "DELETE" }).then(
          () => {
            offerAction(`“${name}” is in the trash`, { label: "Undo", onClick: () => undo(id) });
            router.refresh();
          },
          (error: unknown) => {
            setHidden(id, false);
            showError(error);
          },
        );
      },
      async rename({ id }, name) {
        try {
          await fetchText(`/api/v1/flows/${id}`, { method: "PATCH", json: { name } });
          router.refresh();
          return true;
        } catch (error) {
          showError(error);
          return false;
        }
      },
    },
  };
}

export const flowLinks = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("[data-flow]")];

/** Puts the focus on a flow next to one that leaves the list. */
function focusNeighbour(id: string): void {
  const links = flowLinks();
  const index = links.findIndex(({ dataset }) => dataset.flow === id);
  (links[index + 1] ?? links[index - 1])?.focus();
}
