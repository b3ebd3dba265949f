import { type FormEvent, useId, useState } from "react";
import { isAgentKind } from "@/lib/core/run/events/run-node-traits";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import { forkRun } from "../../_run/start-run";
import { useNewRun } from "../../_run/use-new-run";
import { Button } from "../../_ui/controls/button";
import { ChoiceSwitch } from "../../_ui/controls/choice-switch";
import { Dialog, DialogActions } from "../../_ui/controls/dialog";

interface ForkDialogProps {
  runId: string;
  node: RunNode;
  onClose(): void;
}

interface Field {
  name: "input" | "instructions" | "model" | "output";
  label: string;
  rows: number;
  /** What the step had; null: it is not known here, an empty field keeps it. */
  recorded: string | null;
}

export default function ForkDialog({ runId, node, onClose }: ForkDialogProps) {
  const fields = toFields(node);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [revision, setRevision] = useState<"recorded" | "current">("recorded");
  const { start, isPending } = useNewRun();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const changes = fields.flatMap(({ name, recorded }) => {
      const text = texts[name];
      return text === undefined || text === (recorded ?? "") ? [] : [[name, text]];
    });
    void start(() => forkRun(runId, { node: node.id, revision, ...Object.fromEntries(changes) }));
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Run from "${node.name}"`}
      description="A new run. Steps before this one are reused and cost nothing; this one and those after it are done again."
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        {fields.map((field) => (
          <ForkField
            key={field.name}
            field={field}
            value={texts[field.name] ?? field.recorded ?? ""}
            onChange={(text) => setTexts({ ...texts, [field.name]: text })}
          />
        ))}
        <ChoiceSwitch
          label="Which flow runs"
          value={revision}
          choices={[
            { value: "recorded", label: "Flow as it ran" },
            { value: "current", label: "Flow as it is now" },
          ]}
          onChange={setRevision}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={isPending}>
            Start
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function toFields({ kind, input, output }: RunNode): Field[] {
  const recordedInput = input.length === undefined ? input.text : null;
  if (isAgentKind(kind))
    return [
      { name: "input", label: "Input", rows: 4, recorded: recordedInput },
      { name: "instructions", label: "Instructions", rows: 4, recorded: null },
      { name: "model", label: "Model", rows: 1, recorded: null },
    ];
  if (kind === "tool_call")
    return [
      { name: "input", label: "Arguments", rows: 3, recorded: recordedInput },
      { name: "output", label: "Result", rows: 4, recorded: output.length === undefined ? output.text : null },
    ];
  if (kind === "llm_call")
    return [{ name: "output", label: "Answer", rows: 6, recorded: output.length === undefined ? output.text : null }];
  return kind === "handoff" || kind === "round"
    ? []
    : [{ name: "input", label: "Input", rows: 4, recorded: recordedInput }];
}

const controlClass =
  "w-full rounded-md border border-line-input bg-surface px-2 py-1 text-[13px] leading-5 placeholder:text-text-faint";

function ForkField({
  field: { label, rows, recorded },
  value,
  onChange,
}: {
  field: Field;
  value: string;
  onChange(text: string): void;
}) {
  const id = useId();
  const placeholder = recorded === null ? "As it was" : undefined;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium text-[13px]">
        {label}
      </label>
      {rows === 1 ? (
        <input
          id={id}
          value={value}
          placeholder={placeholder}
          onChange={(event) => onChange(event.target.value)}
          className={controlClass}
        />
      ) : (
        <textarea
          id={id}
          rows={rows}
          value={value}
          placeholder={placeholder}
          onChange={(event) => onChange(event.target.value)}
          className={controlClass}
        />
      )}
    </div>
  );
}
