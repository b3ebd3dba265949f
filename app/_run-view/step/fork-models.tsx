import { Plus, X } from "lucide-react";
import { useId, useRef, useState } from "react";
import * as z from "zod/mini";
import { modelOfferSchema } from "@/lib/core/flow/model-support";
import { mostComparedRuns } from "@/lib/core/trace/model/compared-runs";
import { Button } from "../../_ui/controls/button";
import { IconButton } from "../../_ui/controls/icon-button";
import { Select } from "../../_ui/controls/select";
import { fetchJson } from "../../_ui/loading/fetch-json";
import { useLoaded } from "../../_ui/loading/use-loaded";
import { controlClass } from "./fork-field";

/** With the run that they continue they fit into one comparison. */
const mostRuns = mostComparedRuns - 1;

/** Models in place of that of an agent, as they are typed, and how often each runs. */
export interface ForkModelChoice {
  rows: readonly { id: number; name: string }[];
  runsOfEach: number;
}

export const unchangedModel: ForkModelChoice = { rows: [{ id: 0, name: "" }], runsOfEach: 1 };

const namesOf = ({ rows }: ForkModelChoice): string[] =>
  rows.map(({ name }) => name.trim()).filter((name) => name !== "");

/** The model of each run to start; none: the agent keeps its own. */
export function toModels(choice: ForkModelChoice): string[] {
  const models = namesOf(choice);
  const repetitions = Math.min(choice.runsOfEach, mostRunsOfEach(models.length));
  return models.flatMap((model) => Array.from({ length: repetitions }, () => model));
}

const mostRunsOfEach = (models: number): number => Math.floor(mostRuns / Math.max(1, models));

const answerSchema = z.object({ models: z.array(modelOfferSchema) });

/** Models whose names match. */
function useSuggestions(query: string): readonly string[] {
  const { value } = useLoaded({ key: query }, (signal) =>
    fetchJson(`/api/v1/models?${new URLSearchParams({ query, limit: "40" })}`, answerSchema, { signal }),
  );
  return value?.models.map(({ provider, name }) => `${provider}:${name}`) ?? [];
}

interface ForkModelsProps {
  /** The agent's own; null: it is not known here. */
  recorded: string | null;
  choice: ForkModelChoice;
  onChange(choice: ForkModelChoice): void;
}

export function ForkModels({ recorded, choice, onChange }: ForkModelsProps) {
  const { rows, runsOfEach } = choice;
  const listId = useId();
  const [query, setQuery] = useState("");
  const suggestions = useSuggestions(query.trim().slice(0, 200));
  const rowList = useRef<HTMLDivElement>(null);
  const names = namesOf(choice);
  const most = mostRunsOfEach(names.length);
  const rename = (id: number, name: string): void => {
    setQuery(name);
    onChange({ ...choice, rows: rows.map((row) => (row.id === id ? { id, name } : row)) });
  };
  const remove = (id: number): void => {
    onChange({ ...choice, rows: rows.filter((row) => row.id !== id) });
    rowList.current?.querySelector("input")?.focus();
  };
  const repeat = (count: number): void => onChange({ ...choice, runsOfEach: count });
  const add = (): void => onChange({ ...choice, rows: [...rows, { id: (rows.at(-1)?.id ?? 0) + 1, name: "" }] });
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium text-[13px]">Model</legend>
      <datalist id={listId}>
        {suggestions.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div ref={rowList} className="flex flex-col gap-1.5">
        {rows.map(({ id, name }, index) => (
          <div key={id} className="flex items-center gap-1">
            <input
              aria-label={index === 0 ? "Model" : `Model ${index + 1}`}
              list={listId}
              value={name}
              placeholder={index === 0 ? (recorded ?? "As it was") : "provider:model"}
              autoComplete="off"
              spellCheck={false}
              onFocus={() => setQuery("")}
              onChange={({ target }) => rename(id, target.value)}
              className={`${controlClass} font-mono text-xs`}
            />
            {rows.length > 1 && (
              <IconButton label={`Remove model ${index + 1}`} onClick={() => remove(id)}>
                <X size={14} aria-hidden />
              </IconButton>
            )}
          </div>
        ))}
      </div>
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <Button size="small" variant="ghost" disabled={rows.length >= mostRuns} onClick={add}>
          <Plus size={14} aria-hidden /> Another model
        </Button>
        {names.length > 0 && most > 1 && (
          <RunsOfEach most={most} value={Math.min(runsOfEach, most)} onChange={repeat} />
        )}
      </div>
    </fieldset>
  );
}

function RunsOfEach({ most, value, onChange }: { most: number; value: number; onChange(count: number): void }) {
  const options = Array.from({ length: most }, (_, index) => [String(index + 1), String(index + 1)] as const);
  return (
    <span className="ml-auto flex items-center gap-2 text-text-muted">
      <span aria-hidden>Runs of each</span>
      <Select
        label="Runs of each"
        value={String(value)}
        options={options}
        onChange={(count) => onChange(Number(count))}
        className="h-7 rounded-md px-1"
      />
    </span>
  );
}
