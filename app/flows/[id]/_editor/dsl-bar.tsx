"use client";

import { useState } from "react";
import { Button } from "@/app/_ui/button";
import { barOwner, barText, findMistake, hasBar, writeFlowLine } from "./bar-scope";
import { useDraft } from "./inspector/fields";
import { unknownNames } from "./root-flow-text";
import { useEditorState, useSession } from "./session-context";

/** The flow of the selected swarm, group or loop, else the root's, on one line: read it, or write it and press Enter. */
export function DslBar() {
  const { editor, commands } = useSession();
  const isShown = useEditorState(hasBar);
  const owner = useEditorState(barOwner);
  const unknown = useEditorState(({ arrangement }) => unknownNames(arrangement).length);
  const text = useEditorState(barText);
  const [refused, setRefused] = useState<{ text: string; messages: string[] } | null>(null);
  const commit = (line: string): void => {
    const written = writeFlowLine(editor.store.getState().flow, line, commands.usualModel(), owner);
    const problem = written.ok ? editor.dispatch(written.edits) : null;
    const messages = written.ok ? (problem ? [problem.message] : []) : written.messages;
    if (written.ok && !problem && owner === null) editor.select([]);
    setRefused(messages.length > 0 ? { text: line, messages } : null);
  };
  const draft = useDraft(refused?.text ?? text, commit);
  const mistake = useEditorState(({ flow }) => (draft.value === text ? null : findMistake(flow, owner, draft.value)));
  if (!isShown) return null;
  return (
    <div className="relative flex shrink-0 items-center gap-2 border-y border-line bg-surface px-3">
      <label htmlFor="dsl-bar" className="text-xs font-medium text-text-muted">
        Flow{owner !== null && ` of ${owner}`}
      </label>
      <input
        id="dsl-bar"
        {...draft}
        spellCheck={false}
        autoComplete="off"
        placeholder="planner >> (ann | ben) >> writer"
        aria-invalid={refused !== null || mistake !== null}
        aria-describedby={refused ? "dsl-problems" : mistake === null ? undefined : "dsl-mistake"}
        className="h-8 min-w-0 flex-1 bg-transparent font-mono text-xs [font-variant-ligatures:none]"
      />
      {mistake !== null && !refused && (
        <span id="dsl-mistake" title={mistake} className="max-w-1/2 truncate text-xs text-danger">
          {mistake}
        </span>
      )}
      {unknown > 0 && (
        <Button size="small" onClick={commands.declareUnknown}>
          {unknown === 1 ? "Declare 1 new agent" : `Declare ${unknown} new agents`}
        </Button>
      )}
      {refused && (
        <div
          id="dsl-problems"
          role="alert"
          className="absolute top-full left-0 z-10 m-2 max-w-lg rounded-md border border-danger bg-danger-soft px-3 py-1.5 text-xs text-danger"
        >
          {refused.messages.join(" ")}
          <button type="button" className="ml-2 font-medium underline" onClick={() => setRefused(null)}>
            Go back
          </button>
        </div>
      )}
    </div>
  );
}
