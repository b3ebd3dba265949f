import { Button } from "@/app/_ui/controls/button";
import { CopyButton } from "@/app/_ui/controls/copy-button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { findDeclaration } from "@/lib/core/flow/flow";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { toDocument } from "../../state/editing/editing";
import { endWriting } from "../../state/live/attention";
import type { LostWriting } from "../../state/live/live";
import { isTextThere, putBack, putTextBack } from "../../state/live/put-back";
import { useEditorState, useLive, useSession } from "../../state/session-context";

/** The texts that this user was writing in parts of the flow that someone else deleted at the same time. */
export default function LostDialog({ onClose }: { onClose(): void }) {
  const { live, editor } = useSession();
  const lost = useLive((state) => state.lost);
  const areBack = useEditorState(({ document }) => lost.every((writing) => isBack(toDocument(document), writing)));
  const close = (): void => {
    const now = toDocument(editor.store.getState().document);
    live.store.setState({ lost: lost.filter((writing) => !isBack(now, writing)) });
    onClose();
  };
  const discard = (): void => {
    live.store.setState({ lost: [] });
    onClose();
  };
  if (lost.length === 0) return null;
  return (
    <Dialog
      open
      onOpenChange={close}
      title={areBack ? "Your text is in the flow" : "Your text is not in the flow"}
      description={
        areBack
          ? "What someone had deleted or replaced is back, with your text."
          : "Someone deleted or replaced the part that you were writing in. Copy your text, or put it back."
      }
    >
      <div className="grid gap-2">
        {lost.map((writing) => (
          <LostPart key={`${writing.owner} ${writing.text}`} writing={writing} />
        ))}
      </div>
      <DialogActions>
        {!areBack && <Button onClick={discard}>Discard {lost.length > 1 ? "these texts" : "this text"}</Button>}
        <Button variant="primary" onClick={close}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const isBack = (document: SourceDocument, writing: LostWriting): boolean =>
  writing.field !== null && isTextThere(document, writing);

function LostPart({ writing }: { writing: LostWriting }) {
  const { owner, text } = writing;
  const isInFlow = useEditorState(({ flow }) => findDeclaration(flow, owner) !== null);
  return (
    <section className="min-w-0">
      <h3 className="mb-1 flex items-center gap-1 font-semibold text-[11px] text-text-muted">
        <LostTitle writing={writing} isInFlow={isInFlow} />
        {text !== "" && <CopyButton text={text} label={`Copy your text of ${owner}`} />}
      </h3>
      {text !== "" && (
        <pre className="max-h-40 overflow-auto whitespace-pre-wrap rounded border border-line bg-surface-sunken px-2 py-1 font-sans text-xs leading-5">
          {text}
        </pre>
      )}
      <PutBackButton writing={writing} isInFlow={isInFlow} />
    </section>
  );
}

interface LostPartProps {
  writing: LostWriting;
  /** Whether what was deleted is there again. */
  isInFlow: boolean;
}

function LostTitle({ writing: { owner, by, isReplaced }, isInFlow }: LostPartProps) {
  const act = isReplaced ? "replaced" : "deleted";
  return (
    <span className="mr-auto truncate">
      {isInFlow || isReplaced ? `Your text of ${owner}` : owner}, {act} by {by ?? "someone else"}
    </span>
  );
}

function PutBackButton({ writing, isInFlow }: LostPartProps) {
  const { before, field } = writing;
  const session = useSession();
  const isThere = useEditorState(({ document }) => isTextThere(toDocument(document), writing));
  if (!before && !field) return null;
  const isWholeGone = before !== null && !isInFlow;
  const restore = (): void => {
    const problem = isWholeGone ? putBack(session, writing) : putTextBack(session, writing);
    if (problem !== null) session.notify.error(problem);
    else endWriting(session, writing);
  };
  const putLabel = isWholeGone ? `Put the ${before.type} back` : "Put your text back";
  const doneLabel = before ? `The ${before.type} is in the flow` : "Your text is in the flow";
  const isDone = !isWholeGone && isThere;
  return (
    <Button size="small" className="mt-1" disabled={isDone} onClick={restore}>
      {isDone ? doneLabel : putLabel}
    </Button>
  );
}
