import { Popover } from "@base-ui/react/popover";
import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { normalizeTags, tagLimits } from "@/lib/core/flow/list/tags";
import type { FlowSummary } from "@/lib/server/flows/list-flows";
import { Button } from "../../_ui/controls/button";
import { fetchText } from "../../_ui/loading/fetch-json";
import { showError } from "../../_ui/toast/show-error";

interface TagsPopoverProps {
  flow: FlowSummary;
  onClose(): void;
}

/** Edits the tags of a flow at its row or card. Escape discards the tag that is being typed; a press elsewhere adds it. */
export default function TagsPopover({ flow, onClose }: TagsPopoverProps) {
  const field = useRef<HTMLInputElement>(null);
  const { tags, change, draft, setDraft, addDraft, finish } = useTags(flow, onClose);
  const findFlow = (): HTMLElement | null => document.querySelector(`[data-flow="${CSS.escape(flow.id)}"]`);
  return (
    <Popover.Root
      open
      onOpenChange={(open, { reason }) => {
        if (reason === "outside-press") finish();
        else if (!open) onClose();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={findFlow} align="start" sideOffset={6} collisionPadding={8} className="z-40">
          <Popover.Popup
            initialFocus={field}
            finalFocus={findFlow}
            className="w-[min(320px,calc(100vw-24px))] rounded-lg border border-line bg-surface-raised p-3 shadow-popover"
          >
            <Popover.Title className="mb-2 truncate font-semibold text-xs">Tags of “{flow.name}”</Popover.Title>
            <div className="flex flex-wrap items-center gap-1 rounded-md border border-line-input bg-surface p-1">
              {tags.map((tag) => (
                <TagChip key={tag} tag={tag} onRemove={() => change(tags.filter((other) => other !== tag))} />
              ))}
              <input
                ref={field}
                aria-label="New tag"
                aria-describedby="tags-help"
                placeholder={tags.length === 0 ? "support, live" : ""}
                value={draft}
                maxLength={tagLimits.length}
                onChange={(event) => setDraft(event.target.value)}
                onKeyDown={(event) => {
                  if (event.key === "," || (event.key === "Enter" && draft.trim() !== "")) {
                    event.preventDefault();
                    addDraft();
                  } else if (event.key === "Enter") finish();
                  else if (event.key === "Backspace" && draft === "") change(tags.slice(0, -1));
                }}
                className="h-6 min-w-24 flex-1 bg-transparent px-1 outline-none placeholder:text-text-faint"
              />
            </div>
            <div className="mt-2 flex items-center justify-between gap-2">
              <p id="tags-help" className="text-text-muted text-xs">
                Enter or a comma adds a tag.
              </p>
              <Button size="small" variant="primary" onClick={finish}>
                Done
              </Button>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Each change is saved at once, in the order in which they were made. */
function useTags(flow: FlowSummary, onClose: () => void) {
  const router = useRouter();
  const [tags, setTags] = useState(flow.tags);
  const [draft, setDraft] = useState("");
  const saving = useRef(Promise.resolve());
  const change = (next: readonly string[]): void => {
    const json = { tags: normalizeTags(next) };
    if (json.tags.join() === tags.join()) return;
    setTags(json.tags);
    saving.current = saving.current
      .then(() => fetchText(`/api/v1/flows/${flow.id}`, { method: "PATCH", json }))
      .then(() => router.refresh())
      .catch(showError);
  };
  const addDraft = (): void => {
    change([...tags, ...draft.split(",")]);
    setDraft("");
  };
  const finish = (): void => {
    addDraft();
    onClose();
  };
  return { tags, change, draft, setDraft, addDraft, finish };
}

const TagChip = ({ tag, onRemove }: { tag: string; onRemove(): void }) => (
  <span className="flex h-6 items-center gap-0.5 rounded bg-surface-hover pl-2 font-medium text-xs">
    {tag}
    <button
      type="button"
      aria-label={`Remove ${tag}`}
      onClick={onRemove}
      className="grid size-6 place-items-center rounded text-text-muted hover:text-text"
    >
      <X size={12} aria-hidden />
    </button>
  </span>
);
