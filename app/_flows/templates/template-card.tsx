import { Play } from "lucide-react";
import { countNouns } from "@/lib/core/flow/format-count";
import type { Template } from "@/lib/templates/template";
import { Button } from "../../_ui/controls/button";
import { FlowThumbnailPicture } from "../thumbnail/flow-thumbnail";

interface TemplateCardProps {
  template: Template;
  isFirst: boolean;
  state: "ready" | "disabled" | "trying";
  chooseLabel: string;
  onChoose(): void;
  onTry: (() => void) | undefined;
}

export function TemplateCard({
  template: { name, title, about, agents, picture, use },
  isFirst,
  state,
  chooseLabel,
  onChoose,
  onTry,
}: TemplateCardProps) {
  const titleId = `template-${name}`;
  return (
    <li
      aria-labelledby={titleId}
      className="flex flex-col overflow-hidden rounded-lg border border-line bg-surface transition-colors hover:border-line-strong"
    >
      <div className="h-30 border-line border-b">
        <FlowThumbnailPicture picture={picture} />
      </div>
      <div className="flex flex-1 flex-col gap-1 p-3">
        <div className="flex items-center justify-between gap-2">
          <h3 id={titleId} className="truncate font-semibold text-sm">
            {title}
          </h3>
          {use !== null && (
            <span className="shrink-0 rounded bg-surface-hover px-1.5 py-0.5 text-[11px] text-text-muted">{use}</span>
          )}
        </div>
        <p className="line-clamp-3 min-h-10 text-text-muted sm:line-clamp-2">{about}</p>
        <div className="mt-auto flex items-center gap-1 pt-1">
          {onTry && (
            <Button
              size="small"
              variant={isFirst ? "primary" : "secondary"}
              pending={state === "trying"}
              disabled={state !== "ready"}
              aria-label={`Try it: ${title}`}
              onClick={onTry}
            >
              {state !== "trying" && <Play size={12} aria-hidden />} Try it
            </Button>
          )}
          <Button
            size="small"
            variant={onTry ? "ghost" : "secondary"}
            disabled={state !== "ready"}
            aria-label={`${chooseLabel}: ${title}`}
            onClick={onChoose}
          >
            {chooseLabel}
          </Button>
          <span className="ml-auto truncate text-[11px] text-text-muted tabular-nums">
            {countNouns(agents, "agent")}, no key needed
          </span>
        </div>
      </div>
    </li>
  );
}
