import { useState } from "react";
import { Button } from "../_ui/controls/button";
import { Checkbox } from "../_ui/controls/checkbox";
import { DialogProblem, Field, SelectField } from "../_ui/controls/field";
import { inputStyle } from "../_ui/controls/input-style";
import { useSubmit } from "../_ui/loading/use-submit";
import { createLink, type NewLink, type SharedTextKind, type ShareTarget, sharedTexts } from "./share-requests";
import { describeTexts, textNames } from "./shared-texts";

const dayMs = 86_400_000;
const lifetimes = [
  ["7", "7 days"],
  ["30", "30 days"],
  ["365", "1 year"],
  ["", "No expiry"],
] as const;

interface LinkFormProps {
  target: ShareTarget;
  onCreated(url: string): void;
}

/** What a new link allows, and until when. */
export function LinkForm({ target, onCreated }: LinkFormProps) {
  const [days, setDays] = useState("30");
  const [texts, setTexts] = useState<readonly SharedTextKind[]>(["inputs", "outputs", "tools"]);
  const [runs, setRuns] = useState<VisitorRunLimits | null>(null);
  const { pending, problem, perform } = useSubmit();
  const create = async (): Promise<void> => {
    const link: NewLink = {
      ...(days !== "" && { expiresAt: new Date(Date.now() + Number(days) * dayMs).toISOString() }),
      ...(target.type === "run" && { texts }),
      ...(runs && { runs: { most: Number(runs.most), maxCost: Number(runs.maxCost) } }),
    };
    onCreated((await createLink(target, link)).url);
  };
  return (
    <form
      aria-label="New link"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void perform(create);
      }}
    >
      {target.type === "run" ? (
        <ShownTexts texts={texts} onChange={setTexts} />
      ) : (
        <VisitorRuns limits={runs} onChange={setRuns} />
      )}
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-40">
          <SelectField label="The link works for" value={days} options={lifetimes} onChange={setDays} />
        </div>
        <Button type="submit" variant="primary" pending={pending} className="ml-auto">
          Create link
        </Button>
      </div>
      <DialogProblem problem={problem} />
    </form>
  );
}

interface ShownTextsProps {
  texts: readonly SharedTextKind[];
  onChange(texts: readonly SharedTextKind[]): void;
}

function ShownTexts({ texts, onChange }: ShownTextsProps) {
  const toggle = (text: SharedTextKind, isShown: boolean): void =>
    onChange(sharedTexts.filter((other) => (other === text ? isShown : texts.includes(other))));
  const { shown, hidden } = describeTexts(texts);
  return (
    <>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 font-medium">The link shares</legend>
        {sharedTexts.map((text) => (
          <Checkbox
            key={text}
            label={textNames[text].label}
            hint={textNames[text].hint}
            checked={texts.includes(text)}
            onChange={(isShown) => toggle(text, isShown)}
          />
        ))}
      </fieldset>
      <section aria-label="What visitors see" className="rounded-md border bg-surface-sunken p-3 text-pretty">
        <p>
          <strong>Visitors see</strong> {shown}.
        </p>
        {hidden !== "" && (
          <p className="mt-1">
            <strong>They do not get</strong> {hidden}.
          </p>
        )}
        {texts.includes("outputs") && !texts.includes("inputs") && (
          <p className="mt-1 text-text-muted">An answer may quote what a model was given: read the answers first.</p>
        )}
      </section>
    </>
  );
}

interface VisitorRunLimits {
  most: string;
  maxCost: string;
}

interface VisitorRunsProps {
  limits: VisitorRunLimits | null;
  onChange(limits: VisitorRunLimits | null): void;
}

function VisitorRuns({ limits, onChange }: VisitorRunsProps) {
  const total = limits && Number(limits.most) * Number(limits.maxCost);
  return (
    <div className="flex flex-col gap-3">
      <Checkbox
        label="Visitors may run it"
        hint="Visitors enter an input and get the answer. They see no other version, no steps and no other runs. Their input reaches the models and tools of this flow."
        checked={limits !== null}
        onChange={(mayRun) => onChange(mayRun ? { most: "20", maxCost: "0.10" } : null)}
      />
      {limits && (
        <div className="grid gap-3 pl-6 sm:grid-cols-2">
          <Field label="Runs in all">
            {(attributes) => (
              <input
                {...attributes}
                type="number"
                required
                min={1}
                max={10_000}
                step={1}
                value={limits.most}
                onChange={({ target }) => onChange({ ...limits, most: target.value })}
                className={inputStyle}
              />
            )}
          </Field>
          <Field
            label="US dollars a run"
            hint={total !== null && total > 0 ? `At most $${total.toFixed(2)} in all.` : " "}
          >
            {(attributes) => (
              <input
                {...attributes}
                type="number"
                required
                min={0.001}
                max={1000}
                step="any"
                value={limits.maxCost}
                onChange={({ target }) => onChange({ ...limits, maxCost: target.value })}
                className={inputStyle}
              />
            )}
          </Field>
        </div>
      )}
    </div>
  );
}
