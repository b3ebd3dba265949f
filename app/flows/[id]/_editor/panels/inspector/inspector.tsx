import dynamic from "next/dynamic";
import type { FocusEvent, KeyboardEvent } from "react";
import { afterPaint } from "@/app/_ui/loading/after-paint";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { keyNames, type NodeKey } from "@/lib/core/flow/node-key";
import { findNote } from "@/lib/core/flow/note";
import { leaveInspector } from "../../commands/open-inspector";
import { loadEditingPart } from "../../state/editing/editing";
import type { LostWriting } from "../../state/live/live";
import { useEditorState, useLive, useSession } from "../../state/session-context";
import { Problems } from "../problems/problems-pane";
import { FormWaiting } from "./form-waiting";
import { LostField } from "./lost-field";
import { ResumedField } from "./resumed-field";

export const loadForms = () => loadEditingPart(() => import("./selection-form"));

/** As high as the head and the tabs of a form. */
function Waiting() {
  return (
    <>
      <div className="h-12 shrink-0" />
      <div className="h-9 shrink-0 border-line border-b" />
      <p className="p-3 text-text-muted text-xs">Loading the form…</p>
    </>
  );
}

const SelectionForm = dynamic(loadForms, { ssr: false, loading: FormWaiting });
const FlowSummary = dynamic(() => afterPaint().then(() => loadEditingPart(() => import("./flow-summary"))), {
  ssr: false,
  loading: Waiting,
});

export function Inspector() {
  const session = useSession();
  const writing = useLive(({ lost }) => lost.find(({ caret }) => caret !== undefined));
  const resumed = useLive((state) => state.resumed);
  const hasForm = useEditorState(
    ({ selection: [key = "", ...otherKeys], arrangement, layout, flow }) =>
      otherKeys.length > 0 ||
      findNote(layout.notes, key) !== undefined ||
      (!isAwaitingArrangement(flow, key, writing) && arrangement.nodes.some((node) => node.key === key)),
  );
  const leaveOnEscape = (event: KeyboardEvent<HTMLElement>): void => {
    // An open list over a field closes with the same key.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key === "Escape" && isHere && !event.defaultPrevented) leaveInspector(session);
  };
  const enterField = ({ target }: FocusEvent): void => {
    const isText =
      target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === "text");
    if (isText)
      session.live.field.enter(target, () => ({
        text: target.value,
        caret: target.selectionEnd ?? target.value.length,
      }));
    else if (target instanceof HTMLInputElement) session.live.field.leave();
  };
  return (
    <section
      aria-label="Inspector"
      className="relative flex min-h-0 flex-1 flex-col overflow-hidden"
      onKeyDown={leaveOnEscape}
      onFocus={enterField}
      onBlur={() => session.live.field.leave()}
    >
      {hasForm && !resumed ? (
        <>
          <SelectionForm />
          <Problems />
        </>
      ) : (
        <>
          {resumed ? <ResumedField resumed={resumed} /> : writing && <LostField writing={writing} />}
          <FlowSummary />
        </>
      )}
    </section>
  );
}

// What was deleted is arranged anew some time later: its form would take letters that go nowhere.
const isAwaitingArrangement = (flow: Flow, key: NodeKey, writing: LostWriting | undefined): boolean =>
  writing !== undefined && keyNames(key).at(-1) === writing.owner && findDeclaration(flow, writing.owner) === null;
