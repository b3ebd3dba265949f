import { Button } from "@/app/_ui/controls/button";
import type { MergeChunk } from "../../state/save/merge-versions";

type Conflict = Extract<MergeChunk, { type: "conflict" }>;

const choices = [
  { label: "Mine", toText: ({ mine }: Conflict) => mine },
  { label: "Theirs", toText: ({ theirs }: Conflict) => theirs },
  {
    label: "Both",
    toText: ({ mine, theirs }: Conflict) => (mine === "" || mine.endsWith("\n") ? mine : `${mine}\n`) + theirs,
  },
] as const;

interface ConflictCardProps {
  conflict: Conflict;
  chosen: string;
  decided: boolean;
  onChoose(text: string): void;
}

export function ConflictCard({ conflict, chosen, decided, onChoose }: ConflictCardProps) {
  return (
    <section aria-label={`Place ${conflict.number}`} className="rounded-md border border-line p-2">
      <div className="grid gap-2 sm:grid-cols-2">
        <Side title="Mine" text={conflict.mine} />
        <Side title="Theirs" text={conflict.theirs} />
      </div>
      <fieldset className="mt-2 flex flex-wrap items-center gap-2">
        <legend className="sr-only">Take for place {conflict.number}</legend>
        {choices.map(({ label, toText }) => (
          <Button
            key={label}
            size="small"
            aria-pressed={decided && chosen === toText(conflict)}
            className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
            onClick={() => onChoose(toText(conflict))}
          >
            {label}
          </Button>
        ))}
        <span className="text-xs text-text-muted">{decided ? "Decided" : "Not decided yet"}</span>
      </fieldset>
    </section>
  );
}

function Side({ title, text }: { title: string; text: string }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1 text-[11px] font-semibold text-text-muted">{title}</h3>
      <pre
        // What scrolls must be reachable without a mouse.
        tabIndex={0}
        className="max-h-40 overflow-auto rounded border border-line bg-surface-sunken px-2 py-1 font-mono text-xs leading-5"
      >
        {text === "" ? "(removed)" : text}
      </pre>
    </div>
  );
}
