import { useEffect, useState, useSyncExternalStore } from "react";
import { Button } from "@/app/_ui/controls/button";
import { MessageText } from "@/app/_ui/text/message-text";
import { toPlainMessage } from "@/app/_ui/text/split-code";
import { countNouns } from "@/lib/core/flow/format-count";
import { unknownNames } from "../../state/root-flow-text";
import { useEditorState, useSession } from "../../state/session-context";
import { BarSummary } from "./bar-summary";
import { barId, describeBar, findMistake, mistakeId, refusalId } from "./describe-bar";
import { createFlowBar } from "./flow-bar";
import { LineField } from "./line-field";
import { RosterLine } from "./roster-line";

const barStyle = "@container flex shrink-0 items-center gap-2 border-y border-line bg-surface px-3";

export function DslBar() {
  const session = useSession();
  const [bar] = useState(() => createFlowBar(session));
  const look = useSyncExternalStore(bar.subscribe, bar.read, bar.read);
  const { drafts } = session;
  const isChanged = look.line !== look.text;
  useEffect(() => (isChanged ? drafts.open(bar.apply) : undefined), [isChanged, drafts, bar]);
  const unknown = useEditorState(({ arrangement }) => unknownNames(arrangement).length);
  // The canvas stays where it is, whatever the mode.
  if (!look.isShown)
    return (
      <div className={barStyle}>
        <span className="font-medium text-text-muted text-xs">Flow</span>
        <RosterLine />
        <BarSummary />
      </div>
    );
  const mistake = findMistake(look);
  return (
    <div className={barStyle}>
      {/* A label leads to fields only: to the editor of the line a press on it leads by hand. */}
      <label
        htmlFor={barId}
        onPointerUp={() => document.getElementById(barId)?.focus()}
        className="text-xs font-medium text-text-muted"
      >
        {describeBar(look)["aria-label"]}
      </label>
      <div className="relative h-8 min-w-0 flex-1">
        {/* Lies over the canvas as far as it grows: what is below stays where it is. */}
        <div className="absolute inset-x-0 top-0 z-20">
          <LineField bar={bar} look={look} />
          {look.refused.length > 0 && <Refusal messages={look.refused} onGoBack={bar.discard} />}
        </div>
      </div>
      {mistake !== null && (
        <span id={mistakeId} title={toPlainMessage(mistake)} className="max-w-1/2 truncate text-xs text-danger">
          <MessageText text={mistake} />
        </span>
      )}
      {unknown > 0 && (
        <Button size="small" onClick={session.actions.declareUnknown}>
          Declare {countNouns(unknown, "new agent")}
        </Button>
      )}
      {mistake === null && <BarSummary />}
    </div>
  );
}

function Refusal({ messages, onGoBack }: { messages: readonly string[]; onGoBack(): void }) {
  return (
    <div
      id={refusalId}
      role="alert"
      className="mt-2 w-fit max-w-lg rounded-md border border-danger bg-danger-soft px-3 py-1.5 text-xs text-danger"
    >
      <MessageText text={messages.join(" ")} />
      <button type="button" className="ml-2 min-h-6 font-medium underline" onClick={onGoBack}>
        Go back
      </button>
    </div>
  );
}
