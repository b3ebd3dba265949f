import dynamic from "next/dynamic";
import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { loadPart } from "@/app/_ui/loading/load-part";
import { MessageText } from "@/app/_ui/text/message-text";
import { runBlockersOf } from "@/lib/core/flow/problem";
import { goToProblem } from "../../commands/problem-commands";
import { MissingKeyActions } from "../../panels/problems/missing-key";
import { keepFlow } from "../../state/save/emptying";
import { useEditorState, useSession, useView } from "../../state/session-context";

const AccessDialog = dynamic(() => loadPart(() => import("../../panels/access/access-dialog")), { ssr: false });
const MergeDialog = dynamic(() => loadPart(() => import("../../panels/merge/merge-dialog")), { ssr: false });
const LostDialog = dynamic(() => loadPart(() => import("../../panels/merge/lost-dialog")), { ssr: false });
const TwinsDialog = dynamic(() => loadPart(() => import("../../panels/merge/twins-dialog")), { ssr: false });

export default function EditorDialogs() {
  const { view } = useSession();
  const dialog = useView((state) => state.dialog);
  const close = (): void => view.setState({ dialog: null });
  if (dialog === "blocked") return <BlockedDialog onClose={close} />;
  if (dialog === "conflict") return <MergeDialog onClose={close} />;
  if (dialog === "twins") return <TwinsDialog onClose={close} />;
  if (dialog === "no-access") return <AccessDialog onClose={close} />;
  if (dialog === "lost") return <LostDialog onClose={close} />;
  return dialog === "emptying" ? <EmptyingDialog onClose={close} /> : null;
}

function BlockedDialog({ onClose }: { onClose(): void }) {
  const session = useSession();
  const problems = useEditorState((state) => state.problems);
  const blockers = runBlockersOf(problems);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={blockers.length === 0 ? "This flow can run now" : "This flow cannot run yet"}
      description={
        blockers.length === 0 ? "All problems are fixed." : "Fix these problems first. Click one to go to it."
      }
    >
      <ul className="grid gap-1">
        {blockers.slice(0, 20).map((problem) => (
          <li key={`${problem.code} ${problem.range?.from} ${problem.message}`}>
            <button
              type="button"
              className="w-full rounded-md border border-line px-3 py-1.5 text-left hover:bg-surface-hover"
              onClick={() => {
                onClose();
                goToProblem(problem, session);
              }}
            >
              <MessageText text={problem.message} />
            </button>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button className="mr-auto max-sm:hidden" variant="ghost" onClick={onClose}>
          Close
        </Button>
        <MissingKeyActions problems={problems} />
      </DialogActions>
    </Dialog>
  );
}

function EmptyingDialog({ onClose }: { onClose(): void }) {
  const session = useSession();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Empty this flow?"
      description="Nothing is left in it. Until you decide, the stored flow stays, and others see it as it was."
    >
      <DialogActions>
        <Button
          onClick={() => {
            keepFlow(session);
            onClose();
          }}
        >
          Keep the flow
        </Button>
        <Button
          variant="danger"
          onClick={() => {
            session.autosave.apply({ type: "emptying-agreed" });
            onClose();
          }}
        >
          Save empty flow
        </Button>
      </DialogActions>
    </Dialog>
  );
}
