import dynamic from "next/dynamic";
import type { KeyboardEvent } from "react";
import { afterPaint } from "@/app/_ui/loading/after-paint";
import { loadPart } from "@/app/_ui/loading/load-part";
import { findNote } from "@/lib/core/flow/note";
import { leaveInspector } from "../../commands/open-inspector";
import { useEditorState, useSession } from "../../state/session-context";

export const loadForms = () => loadPart(() => import("./selection-form"));
const waiting = () => <p className="text-text-muted text-xs">Loading the form…</p>;
const SelectionForm = dynamic(loadForms, { ssr: false, loading: waiting });
const FlowSummary = dynamic(() => afterPaint().then(() => loadPart(() => import("./flow-summary"))), {
  ssr: false,
  loading: waiting,
});

export function Inspector() {
  const session = useSession();
  const hasForm = useEditorState(
    ({ selection: [key = "", ...otherKeys], arrangement, layout }) =>
      otherKeys.length > 0 ||
      findNote(layout.notes, key) !== undefined ||
      arrangement.nodes.some((node) => node.key === key),
  );
  const leaveOnEscape = (event: KeyboardEvent<HTMLElement>): void => {
    // An open list over a field closes with the same key.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key === "Escape" && isHere && !event.defaultPrevented) leaveInspector(session);
  };
  return (
    <section aria-label="Inspector" className="min-h-0 flex-1 overflow-y-auto p-3" onKeyDown={leaveOnEscape}>
      {hasForm ? <SelectionForm /> : <FlowSummary />}
    </section>
  );
}
