import { useState } from "react";
import { Button, buttonClass } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { type AccessLoss, hasUnsaved } from "../../state/save/autosave";
import { useSaveState, useSession } from "../../state/session-context";

interface LossText {
  title: string;
  reason: string;
  /** A user can sign in again in another tab, and continue here. */
  canSignIn?: true;
}

const lossTexts: Record<AccessLoss, LossText> = {
  "signed-out": {
    title: "Your session has ended",
    reason: "Sign in again in a new tab with the same account. Then continue here: your text stays in this tab.",
    canSignIn: true,
  },
  "other-account": {
    title: "You are signed in with another account",
    reason:
      "This tab was opened with a different account. Sign out in the other tab and sign in with that account. Then check again.",
  },
  "left-team": {
    title: "You no longer have access to this flow",
    reason: "You were removed from its team. An Admin of the team can invite you again.",
  },
  "flow-deleted": {
    title: "This flow was deleted",
    reason: "If it is in the trash, an Editor of the team can restore it. Then check again.",
  },
  "read-only": {
    title: "You can no longer change this flow",
    reason: "Your role lets you read it only. An Admin of the team can give you the role Editor.",
  },
};

/** Why nothing can be saved any more, and the text to copy. */
export default function AccessDialog({ onClose }: { onClose(): void }) {
  const loss = useSaveState(({ accessLoss }) => accessLoss);
  const isUnsaved = useSaveState(hasUnsaved);
  const { editor, drafts, access, accessPort } = useSession();
  const [isCopied, setCopied] = useState(false);
  const [check, setCheck] = useState<"none" | "pending" | "refused">("none");
  if (loss === null) return null;
  const { title, reason, canSignIn = false } = lossTexts[loss];
  const copy = async (): Promise<void> => {
    drafts.commitAll();
    await navigator.clipboard.writeText(editor.store.getState().text);
    setCopied(true);
  };
  const checkAgain = async (): Promise<void> => {
    setCheck("pending");
    await accessPort.check();
    // With access the dialog is closed.
    setCheck("refused");
  };
  return (
    <Dialog open onOpenChange={onClose} title={title} description={reason}>
      {access.mayEdit && (
        <p role="status" className={isUnsaved ? "text-warning" : "text-text-muted"}>
          {isUnsaved
            ? "Your last changes are not saved. Copy the text before you close this tab."
            : "All of your changes were saved."}
        </p>
      )}
      {check === "refused" && (
        <p role="alert" className="mt-2 text-danger">
          You still have no access, or the server did not answer.
        </p>
      )}
      <DialogActions>
        <Button onClick={() => void copy()}>{isCopied ? "Copied" : "Copy the text"}</Button>
        {canSignIn && (
          <a href="/sign-in" target="_blank" rel="noreferrer" className={buttonClass("secondary", "medium")}>
            Sign in
          </a>
        )}
        <Button variant="primary" pending={check === "pending"} onClick={() => void checkAgain()}>
          {canSignIn ? "Continue here" : "Check again"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
