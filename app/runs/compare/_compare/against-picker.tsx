import type { ComparedRun } from "@/lib/server/runs/read/compare-runs";
import { Button } from "../../../_ui/controls/button";
import { letterOf } from "./letters";

interface AgainstPickerProps {
  runs: readonly ComparedRun[];
  value: number;
  onChange(index: number): void;
}

/** Which run the base is compared to, word by word; on a phone also the one that is displayed beside it. */
export function AgainstPicker({ runs, value, onChange }: AgainstPickerProps) {
  return (
    <fieldset className="flex flex-wrap items-center gap-2 max-sm:sticky max-sm:top-0 max-sm:z-30 max-sm:-mx-4 max-sm:border-b max-sm:bg-surface-sunken max-sm:px-4 max-sm:py-2">
      <legend className="float-left mr-2 text-text-muted">A against</legend>
      {runs.slice(1).map(({ id, origin }, offset) => (
        <Button
          key={id}
          size="small"
          variant={offset + 1 === value ? "primary" : "secondary"}
          aria-pressed={offset + 1 === value}
          title={origin?.model ?? undefined}
          onClick={() => onChange(offset + 1)}
        >
          {letterOf(offset + 1)}
        </Button>
      ))}
    </fieldset>
  );
}
