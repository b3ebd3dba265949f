import { type KeyboardEvent, useEffect, useRef } from "react";
import { requestRun, stopRun } from "../../commands/run-commands";
import { useSession, useView } from "../../state/session-context";
import { isActive } from "../../state/shown-run";

const longestInput = 500_000;

/** One line; with the focus it grows upwards over the canvas, up to eight lines. */
export function RunInput() {
  const session = useSession();
  const { view } = session;
  const input = useView((state) => state.runInput);
  const isMissing = useView((state) => state.isInputMissing);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isMissing) field.current?.focus();
  }, [isMissing]);
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      void requestRun(session);
    }
    const { run, figures } = view.getState();
    if (event.key === "Escape" && run !== null && isActive(figures?.status)) {
      event.preventDefault();
      void stopRun(session);
    }
  };
  return (
    <div className="relative h-8 min-w-0 flex-1">
      <p
        id="run-input-missing"
        role="status"
        className="absolute bottom-full left-0 mb-2 rounded-md border border-line-strong bg-surface-raised px-2.5 py-1.5 text-xs shadow-popover empty:hidden"
      >
        {isMissing && "Enter what the agents should work on, or press Run again to run without an input."}
      </p>
      <textarea
        ref={field}
        id="run-input"
        aria-label="Input of the run"
        aria-description="Enter runs the flow, Shift Enter begins a new line"
        value={input}
        rows={1}
        maxLength={longestInput}
        placeholder="What should the swarm work on?"
        onChange={({ target }) => view.setState({ runInput: target.value, isInputMissing: false })}
        onKeyDown={press}
        onBlur={({ currentTarget }) => currentTarget.scrollTo(0, 0)}
        className="absolute inset-x-0 bottom-0 h-8 max-h-44 resize-none overflow-hidden rounded-md border border-line-input bg-surface px-2.5 py-1.25 leading-5 placeholder:text-text-faint focus:field-sizing-content focus:h-auto focus:min-h-8 focus:overflow-y-auto"
      />
    </div>
  );
}
