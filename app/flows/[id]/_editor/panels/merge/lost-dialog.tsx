import { Button } from "@/app/_ui/controls/button";
import { CopyButton } from "@/app/_ui/controls/copy-button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { findDeclaration } from "@/lib/core/flow/flow";
import type { LostWriting } from "../../state/live/live";
import { putBack } from "../../state/live/put-back";
import { useEditorState, useLive, useSession } from "../../state/session-context";

/** The texts that this user was writing in parts of the flow that someone else deleted at the same time. */
export default function LostDialog({ onClose }: { onClose(): void }) {
  const { live } = useSession();
  const lost = useLive((state) => state.lost);
  const close = (): void => {
    live.store.setState({ lost: [] });
    onClose();
  };
  if (lost.length === 0) return null;
  return (
    <Dialog
      open
      onOpenChange={close}
      title="Your text is not in the flow"
      description="Someone deleted the part that you were writing in. Copy your text, or put the part back."
    >
      <div className="grid gap-2">
        {lost.map((writing) => (
          <LostPart key={`${writing.owner} ${writing.text}`} writing={writing} />
        ))}
      </div>
      <DialogActions>
        <Button variant="primary" onClick={close}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function LostPart({ writing }: { writing: LostWriting }) {
  const { owner, by, text, before } = writing;
  const session = useSession();
  const isBack = useEditorState(({ flow }) => findDeclaration(flow, owner) !== null);
  const restore = (): void => {
    const problem = putBack(session, writing);
    if (problem !== null) session.notify.error(problem);
  };
  return (
    <section className="min-w-0">
      <h4 className="mb-1 flex items-center gap-1 font-semibold text-[11px] text-text-muted">
        <span className="mr-auto truncate">
          {owner}, deleted by {by ?? "someone else"}
        </span>
        <CopyButton text={text} label={`Copy your text of ${owner}`} />
      </h4>
      <pre className="max-h-40 overflow-auto whitespace-pre-wrap rounded border border-line bg-surface-sunken px-2 py-1 font-sans text-xs leading-5">
        {text}
      </pre>
      {before && (
        <Button size="small" className="mt-1" disabled={isBack} onClick={restore}>
          {isBack ? `The ${before.type} is in the flow` : `Put the ${before.type} back`}
        </Button>
      )}
    </section>
  );
}
