"use client";

import { useState, useSyncExternalStore } from "react";
import { Button } from "@/app/_ui/button";
import { unknownNames } from "../root-flow-text";
import { useEditorState, useSession } from "../session-context";
import { createBar } from "./bar";
import { barId, describeBar, findMistake, mistakeId, refusalId } from "./describe-bar";
import { LineField } from "./line-field";

/** The flow of the selected swarm, group or loop, else the root's, on one line: read it, or write it and press Enter. */
export function DslBar() {
  const session = useSession();
  const [bar] = useState(() => createBar(session));
  const look = useSyncExternalStore(bar.subscribe, bar.read, bar.read);
  const unknown = useEditorState(({ arrangement }) => unknownNames(arrangement).length);
  if (!look.isShown) return null;
  const mistake = findMistake(look);
  return (
    <div className="relative flex shrink-0 items-center gap-2 border-y border-line bg-surface px-3">
      <label htmlFor={barId} className="text-xs font-medium text-text-muted">
        {describeBar(look)["aria-label"]}
      </label>
      <LineField bar={bar} look={look} />
      {mistake !== null && (
        <span id={mistakeId} title={mistake} className="max-w-1/2 truncate text-xs text-danger">
          {mistake}
        </span>
      )}
      {unknown > 0 && (
        <Button size="small" onClick={session.commands.declareUnknown}>
          {unknown === 1 ? "Declare 1 new agent" : `Declare ${unknown} new agents`}
        </Button>
      )}
      {look.refused.length > 0 && (
        <div
          id={refusalId}
          role="alert"
          className="absolute top-full left-0 z-10 m-2 max-w-lg rounded-md border border-danger bg-danger-soft px-3 py-1.5 text-xs text-danger"
        >
          {look.refused.join(" ")}
          <button type="button" className="ml-2 font-medium underline" onClick={bar.takeBack}>
            Go back
          </button>
        </div>
      )}
    </div>
  );
}
