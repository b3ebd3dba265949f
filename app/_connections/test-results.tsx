import { CircleCheck, CircleSlash, CircleX, LoaderCircle, TriangleAlert } from "lucide-react";
import { useId, useState } from "react";
import { MessageText } from "@/app/_ui/text/message-text";
import type { ConnectionTest, ConnectionTestStep } from "@/lib/server/connections/test-connection";
import { Button } from "../_ui/controls/button";
import { formatDuration } from "../_ui/format/format";
import type { TestState } from "./use-connection-test";

const titles: Record<ConnectionTestStep["type"], string> = {
  models: "List of models",
  word: "One streamed word",
  tool: "One tool call",
};

const statuses = {
  passed: { word: "Works", icon: CircleCheck, tint: "text-success" },
  limited: { word: "Limited", icon: TriangleAlert, tint: "text-warning" },
  failed: { word: "Failed", icon: CircleX, tint: "text-danger" },
  skipped: { word: "Not tested", icon: CircleSlash, tint: "text-idle" },
} as const;

interface TestResultsProps {
  state: TestState;
  onCancel(): void;
  /** Tests again with a model that the user named. */
  onModel(model: string): void;
}

/** How the test of a connection goes, and what it found. */
export function TestResults({ state, onCancel, onModel }: TestResultsProps) {
  if (state.type === "none") return null;
  return (
    <div role="status" className="rounded-md border bg-surface-sunken px-3 py-2">
      {state.type === "pending" && (
        <div className="flex items-center gap-2">
          <LoaderCircle size={14} aria-hidden className="animate-spin text-running" />
          <span className="flex-1">Asking for the models, one word and one tool call …</span>
          <Button size="small" variant="ghost" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      )}
      {state.type === "failed" && (
        <p className="text-danger [overflow-wrap:anywhere]">
          <MessageText text={state.message} />
        </p>
      )}
      {state.type === "tested" && (
        <>
          <p className="font-medium">
            {describeResult(state.result)}
            {state.result.model !== null && (
              <span className="font-normal text-text-muted">
                {" "}
                · asked <span className="font-mono text-xs">{state.result.model}</span>
              </span>
            )}
          </p>
          <ul className="mt-1 flex flex-col gap-1">
            {state.result.steps.map((step) => (
              <TestStep key={step.type} step={step} />
            ))}
          </ul>
          {needsModel(state.result) && <ModelToTest onModel={onModel} />}
        </>
      )}
    </div>
  );
}

const needsModel = ({ model, steps }: ConnectionTest): boolean =>
  model === null && steps.every(({ status }) => status !== "failed");

function describeResult(result: ConnectionTest): string {
  if (result.ok) return "It can run agents";
  return needsModel(result) ? "Not tested: no model was asked" : "It cannot run agents yet";
}

function ModelToTest({ onModel }: Pick<TestResultsProps, "onModel">) {
  const id = useId();
  const [model, setModel] = useState("");
  const test = (): void => {
    if (model.trim() !== "") onModel(model.trim());
  };
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <label htmlFor={id} className="font-medium">
        Model to test
      </label>
      <input
        id={id}
        value={model}
        placeholder="llama3.2"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        onChange={(event) => setModel(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // The form around it would save.
          event.preventDefault();
          test();
        }}
        className="h-7 min-w-32 flex-1 rounded-md border border-line-input bg-surface px-2 font-mono text-xs placeholder:text-text-faint pointer-coarse:h-10"
      />
      <Button size="small" disabled={model.trim() === ""} onClick={test}>
        Test this model
      </Button>
    </div>
  );
}

function TestStep({ step: { type, status, message, milliseconds } }: { step: ConnectionTestStep }) {
  const { word, icon: Icon, tint } = statuses[status];
  return (
    <li className="grid grid-cols-[16px_1fr_auto] gap-x-2">
      <Icon size={14} aria-hidden className={`mt-0.75 ${tint}`} />
      <div className="min-w-0">
        <p>
          <span className="font-medium">{titles[type]}</span> <span className={tint}>{word}</span>
        </p>
        <p className="text-text-muted [overflow-wrap:anywhere]">
          <MessageText text={message} />
        </p>
      </div>
      <span className="text-text-muted text-xs tabular-nums">
        {status === "skipped" ? "" : formatDuration(milliseconds)}
      </span>
    </li>
  );
}
