import { SearchX } from "lucide-react";
import type { Template } from "@/lib/templates/template";
import { Button } from "../../_ui/controls/button";
import { EmptyState } from "../../_ui/controls/empty-state";
import { TemplateCard } from "./template-card";
import { useTryTemplate } from "./use-try-template";

interface TemplateGridProps {
  templates: readonly Template[];
  pending: boolean;
  /** They are put into an open flow: they are not tried. */
  isInsertion: boolean;
  onChoose(source: string): void;
  /** Shows all templates again. */
  onClear(): void;
}

const gridStyle = "grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3";

export function TemplateGrid({ templates, pending, isInsertion, onChoose, onClear }: TemplateGridProps) {
  const tryOut = useTryTemplate();
  const isBusy = pending || tryOut.pending !== null;
  if (templates.length === 0) return <NoMatch onClear={onClear} />;
  return (
    <ul aria-label="Templates" className={gridStyle}>
      {templates.map((template, index) => (
        <TemplateCard
          key={template.name}
          template={template}
          isFirst={index === 0}
          state={tryOut.pending === template.name ? "trying" : isBusy ? "disabled" : "ready"}
          chooseLabel={isInsertion ? "Insert" : "Use it"}
          onChoose={() => onChoose(template.source)}
          onTry={isInsertion ? undefined : () => tryOut.start(template)}
        />
      ))}
    </ul>
  );
}

const NoMatch = ({ onClear }: { onClear(): void }) => (
  <EmptyState icon={<SearchX size={32} aria-hidden />} title="No template matches">
    <p>Every search word must occur in the title, the description or an agent.</p>
    <Button onClick={onClear}>Clear search</Button>
  </EmptyState>
);

const skeletons = Array.from({ length: 9 }, (_, index) => index);

/** The gallery's shape while its templates are loading. */
export const TemplateSkeletons = () => (
  <div role="status" className={gridStyle}>
    <span className="sr-only">Loading templates…</span>
    {skeletons.map((index) => (
      <div key={index} aria-hidden className="overflow-hidden rounded-lg border border-line bg-surface">
        <div className="h-30 border-line border-b bg-canvas" />
        <div className="flex flex-col gap-2 p-3 motion-safe:animate-pulse">
          <div className="h-5 w-1/2 rounded bg-surface-hover" />
          <div className="h-10 rounded bg-surface-hover" />
          <div className="h-7 w-1/3 rounded bg-surface-hover" />
        </div>
      </div>
    ))}
  </div>
);
