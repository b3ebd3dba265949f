import { structuredPatch } from "diff";
import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { LineHunks } from "@/app/_ui/text/line-hunks";
import { MessageText } from "@/app/_ui/text/message-text";
import type { Scope } from "@/lib/core/flow/edit";
import type { Swarm } from "@/lib/core/kinds/swarm";
import { type LinkChange, type LinkKind, previewMode } from "@/lib/core/source/query/preview-mode";
import { toDocument } from "../../../state/editing/editing";
import { useEditorState } from "../../../state/session-context";

interface ModeDialogProps {
  scope: Scope;
  to: Swarm["mode"];
  label: string;
  onApply(): void;
  onCancel(): void;
}

const linkWords: Record<LinkKind, string> = {
  step: "a step",
  handoff: "a handoff",
  delegation: "a delegation",
  spawn: "a spawned agent",
};

export default function ModeDialog({ scope, to, label, onApply, onCancel }: ModeDialogProps) {
  const document = useEditorState((state) => toDocument(state.document));
  const preview = previewMode(document, scope, to);
  const whose = scope.type === "root" ? "the flow" : scope.name;
  return (
    <Dialog
      open
      wide
      onOpenChange={onCancel}
      title={`Change ${whose} to ${label.toLowerCase()}?`}
      description="Nothing changes until you apply it. You can undo it in one step."
    >
      {preview.ok ? (
        <div className="grid gap-4 md:grid-cols-2">
          <Links links={preview.links} />
          <Lines before={document.text} after={preview.text} />
        </div>
      ) : (
        <p className="text-danger">
          <MessageText text={preview.message} />
        </p>
      )}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" disabled={!preview.ok} onClick={onApply}>
          Apply
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const groups: readonly { title: string; includes(link: LinkChange): boolean; describe(link: LinkChange): string }[] = [
  {
    title: "Links that remain",
    includes: ({ before, after }) => before !== undefined && after !== undefined,
    describe: ({ after }) => (after ? `becomes ${linkWords[after]}` : ""),
  },
  {
    title: "Links that are removed",
    includes: ({ after }) => after === undefined,
    describe: ({ before }) => (before ? `was ${linkWords[before]}` : ""),
  },
  {
    title: "Links that are added",
    includes: ({ before }) => before === undefined,
    describe: ({ after }) => (after ? linkWords[after] : ""),
  },
];

function Links({ links }: { links: readonly LinkChange[] }) {
  if (links.length === 0) return <p className="text-text-muted text-xs">There are no links.</p>;
  return (
    <div className="grid content-start gap-3">
      {groups.map(({ title, includes, describe }) => {
        const groupLinks = links.filter(includes);
        if (groupLinks.length === 0) return null;
        return (
          <section key={title} aria-label={title}>
            <h3 className="mb-1 font-semibold text-xs">{title}</h3>
            <ul className="max-h-40 overflow-y-auto">
              {groupLinks.map((link) => (
                <li key={`${link.from} ${link.to}`} className="flex flex-wrap justify-between gap-x-3 text-xs">
                  <span className="font-mono">
                    {link.from} → {link.to}
                  </span>
                  <span className="text-text-muted">{describe(link)}</span>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function Lines({ before, after }: { before: string; after: string }) {
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 2 });
  return (
    <section aria-label="Changed lines" className="min-w-0">
      <h3 className="mb-1 font-semibold text-xs">Changed lines</h3>
      <LineHunks hunks={hunks} />
    </section>
  );
}
