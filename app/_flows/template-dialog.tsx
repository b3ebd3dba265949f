import type { Template } from "@/lib/templates/template";
import { Dialog } from "../_ui/controls/dialog";

interface TemplateDialogProps {
  title?: string;
  description?: string;
  templates: readonly Template[];
  pending: boolean;
  onClose(): void;
  onChoose(source: string): void;
}

export default function TemplateDialog({
  title: heading = "New flow from a template",
  description = "One for each construct. All run without an API key; change the models when you are ready.",
  templates,
  pending,
  onClose,
  onChoose,
}: TemplateDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={heading} description={description} wide>
      {templates.length === 0 && <p className="min-h-40 text-text-muted">Loading templates…</p>}
      <ul className="grid grid-cols-1 gap-2 overflow-y-auto sm:grid-cols-2">
        {templates.map(({ name, title, about, source }) => (
          <li key={name}>
            <button
              type="button"
              disabled={pending}
              onClick={() => onChoose(source)}
              className="flex h-full w-full flex-col items-start rounded-lg border border-line p-3 text-left hover:border-line-strong hover:bg-surface-hover disabled:opacity-60"
            >
              <span className="font-semibold text-[13px]">{title}</span>
              <span className="mt-1 line-clamp-3 text-text-muted text-xs">{about}</span>
              <code className="mt-auto max-w-full truncate pt-2 font-mono text-[11px] text-text-faint">
                {outlineOf(source)}
              </code>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const outlineOf = (source: string): string =>
  /^ {2}(?:flow|agents): (.+)$/m.exec(source.slice(source.lastIndexOf("\nswarm:")))?.[1] ?? "";
