import type { Flow } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { fillLookUps } from "@/lib/core/flow/template-variables";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { useEditorState } from "../../../state/session-context";
import { Disclosure } from "../fields/section";
import { toRunScope, useLastRun } from "../fields/use-last-run";

export function PromptPreview({ text, nodeKey }: { text: string; nodeKey: NodeKey }) {
  const flow = useEditorState((state) => state.flow);
  const lastRun = useLastRun();
  const run = lastRun?.state ?? null;
  const about = run
    ? "With the outputs of the last run."
    : lastRun
      ? "Loading the last run…"
      : "Without a run, only variables are filled in.";
  return (
    <Disclosure summary="Preview with values">
      <p className="text-text-faint">{about}</p>
      <pre className="mt-1 max-h-64 overflow-auto whitespace-pre-wrap rounded-md bg-surface-sunken p-2 font-sans leading-4">
        {fill(text, { flow, run, nodeKey })}
      </pre>
    </Disclosure>
  );
}

function fill(text: string, { flow, run, nodeKey }: { flow: Flow; run: RunState | null; nodeKey: NodeKey }): string {
  const scope = run && toRunScope(flow, run, nodeKey);
  return fillLookUps(text, (lookUp) => {
    switch (lookUp.type) {
      case "input":
        return scope?.input ?? null;
      case "date":
        return new Date().toISOString().slice(0, 10);
      case "var": {
        const value = flow.vars.get(lookUp.name);
        return value === undefined ? null : String(value);
      }
      case "output": {
        if (!scope) return null;
        const value = scope.outputs.get(lookUp.name) ?? "";
        return typeof value === "string" ? value : JSON.stringify(value);
      }
    }
  });
}
