import { type FormEvent, useState } from "react";
import * as z from "zod/mini";
import { isAgentKind } from "@/lib/core/run/events/run-node-traits";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import type { AgentSettings } from "@/lib/server/runs/read/agent-settings";
import { forkRun, tryModels } from "../../_run/start-run";
import { useNewRun } from "../../_run/use-new-run";
import { Button } from "../../_ui/controls/button";
import { ChoiceSwitch } from "../../_ui/controls/choice-switch";
import { Dialog, DialogActions } from "../../_ui/controls/dialog";
import type { DraftTexts } from "../../_ui/draft/kept-drafts";
import { useKeptDraft } from "../../_ui/draft/use-kept-draft";
import { fetchJson } from "../../_ui/loading/fetch-json";
import { useLoaded } from "../../_ui/loading/use-loaded";
import { ForkField, type ForkFieldFacts } from "./fork-field";
import { ForkModels, toModels, unchangedModel } from "./fork-models";

const nothingChanged: DraftTexts = {};

interface ForkDialogProps {
  runId: string;
  node: RunNode;
  /** What is written stays for the next time, unless it was cancelled or sent. */
  onClose(): void;
}

export default function ForkDialog({ runId, node, onClose }: ForkDialogProps) {
  const settings = useAgentSettings(runId, node);
  const fields = toFields(node, settings?.instructions ?? null);
  const { texts, change, drop, dropAfter } = useForkDraft(runId, node);
  const [revision, setRevision] = useState<"recorded" | "current">("recorded");
  const [modelChoice, setModelChoice] = useState(unchangedModel);
  const { start, startForks, isPending } = useNewRun();
  const models = toModels(modelChoice);
  const cancel = (): void => {
    drop();
    onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const fork = { node: node.id, revision, ...readChanges(fields, texts) };
    const [model] = models;
    if (models.length > 1) void startForks(runId, () => dropAfter(tryModels(runId, { ...fork, models })));
    else void start(() => dropAfter(forkRun(runId, model === undefined ? fork : { ...fork, model })));
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
            onChange={(text) => change({ [field.name]: text })}
          />
        ))}
        {isAgentKind(node.kind) && (
          <ForkModels recorded={settings?.model ?? null} choice={modelChoice} onChange={setModelChoice} />
        )}
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
          <Button onClick={cancel}>Cancel</Button>
          <Button type="submit" variant="primary" pending={isPending}>
            {models.length > 1 ? `Start ${models.length} runs and compare` : "Start"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

const readChanges = (fields: readonly ForkFieldFacts[], texts: DraftTexts): DraftTexts =>
  Object.fromEntries(
    fields.flatMap(({ name, recorded }) => {
      const text = texts[name];
      return text === undefined || text === (recorded ?? "") ? [] : [[name, text]];
    }),
  );

/** The changed texts by the names of their fields. */
function useForkDraft(runId: string, node: RunNode) {
  const draft = useKeptDraft(`fork.${runId}.${node.id}`, nothingChanged);
  return {
    ...draft,
    /** They are kept until the request succeeds. */
    async dropAfter<Answer>(request: Promise<Answer>): Promise<Answer> {
      const answer = await request;
      draft.drop();
      return answer;
    },
  };
}

const settingsSchema: z.ZodMiniType<AgentSettings> = z.object({
  instructions: z.nullable(z.string()),
  model: z.nullable(z.string()),
});

/** What an agent ran with; null until it is loaded, and for other steps. The dialog works without. */
function useAgentSettings(runId: string, { id, kind }: RunNode): AgentSettings | null {
  const key = isAgentKind(kind) ? String(id) : null;
  const { value } = useLoaded({ key }, (signal) =>
    fetchJson(`/api/v1/runs/${runId}/nodes/${id}/agent`, settingsSchema, { signal }),
  );
  return value;
}

function toFields({ kind, input, output }: RunNode, instructions: string | null): ForkFieldFacts[] {
  const recordedInput = input.length === undefined ? input.text : null;
  if (isAgentKind(kind))
    return [
      { name: "input", label: "Input", rows: 4, recorded: recordedInput },
      { name: "instructions", label: "Instructions", rows: 4, recorded: instructions },
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
