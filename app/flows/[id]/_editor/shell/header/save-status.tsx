import { toPlainMessage } from "@/app/_ui/text/split-code";
import type { SavePhase } from "../../state/save/autosave";
import { useIsBackupFailing, useOpenDrafts, useSaveState, useSession, useView } from "../../state/session-context";
import type { EditorViewState } from "../../state/view";
import { toSaveStyle } from "./save-style";
import { useConnection } from "./use-connection";

/** In these phases a dialog has the details. */
const phaseDialogs: Partial<Record<SavePhase, { label: string; dialog: EditorViewState["dialog"] }>> = {
  conflict: { label: "Merge", dialog: "conflict" },
  emptying: { label: "Decide", dialog: "emptying" },
  "no-access": { label: "Details", dialog: "no-access" },
};

export function SaveStatus() {
  const { autosave, view, access } = useSession();
  const savePhase = useSaveState((state) => state.phase);
  const hasDrafts = useOpenDrafts();
  const phase = savePhase === "saved" && hasDrafts ? "unsaved" : savePhase;
  const message = useSaveState((state) => state.message);
  const isLoading = useView(({ editing }) => editing === "waiting");
  const connection = useConnection();
  const isBackupFailing = useIsBackupFailing();
  const style = toSaveStyle({ phase, connection, isLoading, mayEdit: access.mayEdit, isBackupFailing });
  const { icon: Icon, word, color, isBusy = false, isQuiet = false } = style;
  const detail = phaseDialogs[phase];
  const action = "shrink-0 font-medium text-accent-text underline underline-offset-2";
  return (
    <div className={`flex min-w-0 items-center gap-1.5 text-xs ${color}`}>
      <span
        role="status"
        aria-label="Save state"
        title={toPlainMessage(message) || word}
        className="flex min-w-0 items-center gap-1.5"
      >
        <Icon size={13} aria-hidden className={`shrink-0 ${isBusy ? "animate-spin" : ""}`} />
        {/* Beside an action the icon is enough on a narrow screen. */}
        <span className={`truncate ${isQuiet || detail ? "max-md:sr-only" : ""}`}>{word}</span>
      </span>
      {(phase === "failed" || phase === "offline") && (
        <button type="button" className={action} onClick={() => void autosave.flush()}>
          Retry
        </button>
      )}
      {detail && (
        <button type="button" className={action} onClick={() => view.setState({ dialog: detail.dialog })}>
          {detail.label}
        </button>
      )}
    </div>
  );
}
