import { Search } from "lucide-react";
import { useState } from "react";
import type { Template } from "@/lib/templates/template";
import { ChoiceSwitch } from "../_ui/controls/choice-switch";
import { Dialog } from "../_ui/controls/dialog";
import { filterTemplates, listUses } from "./templates/filter-templates";
import { TemplateGrid, TemplateSkeletons } from "./templates/template-grid";

const kinds = [
  { value: "use", label: "By use" },
  { value: "construct", label: "By construct" },
] as const;

interface TemplateDialogProps {
  /** Null while they are loading. */
  templates: readonly Template[] | null;
  pending: boolean;
  onClose(): void;
  onChoose(source: string): void;
  /** Puts the template into an open flow: it is not tried. */
  insertion?: { title: string; description: string };
}

export default function TemplateDialog({ templates, pending, onClose, onChoose, insertion }: TemplateDialogProps) {
  const [kind, setKind] = useState<"use" | "construct">("use");
  const [use, setUse] = useState<string | null>(null);
  const [query, setQuery] = useState("");
  const ofKind = templates?.filter((template) => (template.use !== null) === (kind === "use")) ?? [];
  const clear = (): void => {
    setQuery("");
    setUse(null);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={insertion?.title ?? "New flow from a template"}
      description={
        insertion?.description ??
        "All run without an API key on simulated models; change the models when you are ready."
      }
      wide="gallery"
    >
      <div className="sticky -top-4 z-10 -mx-4 -mt-4 mb-3 flex flex-wrap items-center gap-2 bg-surface-raised px-4 pt-4 pb-2">
        <label className="relative w-full sm:w-72">
          <Search size={14} aria-hidden className="absolute top-2 left-2.5 text-text-muted" />
          <input
            type="search"
            aria-label="Search templates"
            placeholder="What should the swarm do?"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className="h-8 w-full rounded-md border border-line-input bg-surface pr-2 pl-8 placeholder:text-text-faint"
          />
        </label>
        {kind === "use" && <UseChips templates={ofKind} use={use} onChange={setUse} />}
        <div className="sm:ml-auto">
          <ChoiceSwitch label="Show templates" value={kind} choices={kinds} onChange={setKind} />
        </div>
      </div>
      {templates === null ? (
        <TemplateSkeletons />
      ) : (
        <TemplateGrid
          templates={filterTemplates(ofKind, { query, use: kind === "use" ? use : null })}
          pending={pending}
          isInsertion={insertion !== undefined}
          onChoose={onChoose}
          onClear={clear}
        />
      )}
    </Dialog>
  );
}

interface UseChipsProps {
  templates: readonly Template[];
  use: string | null;
  onChange(use: string | null): void;
}

function UseChips({ templates, use, onChange }: UseChipsProps) {
  const all = { label: "All", value: null, count: templates.length };
  const chips = templates.length === 0 ? [] : [all, ...listUses(templates)];
  return (
    <fieldset className="flex min-h-7 min-w-0 gap-0.5 max-sm:w-full max-sm:overflow-x-auto sm:flex-wrap">
      <legend className="sr-only">Use</legend>
      {chips.map(({ label, value, count }) => (
        <button
          key={label}
          type="button"
          aria-pressed={use === value}
          onClick={() => onChange(value)}
          className="flex h-7 shrink-0 items-center gap-1.5 rounded-md border border-transparent px-2 font-medium text-text-muted text-xs hover:text-text aria-pressed:border-line-strong aria-pressed:text-text"
        >
          {label}
          <span className="font-normal text-[11px] text-text-faint tabular-nums">{count}</span>
        </button>
      ))}
    </fieldset>
  );
}
