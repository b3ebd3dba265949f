import { Check, CircleAlert, CircleDot, Eye, GitMerge, Loader, type LucideIcon, WifiOff } from "lucide-react";
import { toPlainMessage } from "@/app/_ui/text/split-code";
import type { SavePhase } from "../../state/save/autosave";
import { useLive, useOpenDrafts, useSaveState, useSession, useView } from "../../state/session-context";

const phaseStyles: Record<SavePhase, { icon: LucideIcon; word: string; color: string }> = {
  saved: { icon: Check, word: "Saved", color: "text-text-muted" },
  unsaved: { icon: CircleDot, word: "Unsaved", color: "text-text-muted" },
  saving: { icon: Loader, word: "Saving…", color: "text-text-muted" },
  failed: { icon: CircleAlert, word: "Not saved", color: "text-danger" },
  offline: { icon: WifiOff, word: "Offline, saved in this browser", color: "text-warning" },
  conflict: { icon: GitMerge, word: "Changed elsewhere", color: "text-warning" },
  emptying: { icon: CircleAlert, word: "Not saved: empty", color: "text-warning" },
};

const readingStyle = { icon: Eye, word: "View only", color: "text-text-muted" };
const waitingStyle = { icon: Loader, word: "Loading the editor…", color: "text-text-muted" };

/** By whether there are changes that the server does not have. */
const reconnectingStyles = {
  saved: { icon: Loader, word: "Reconnecting…", color: "text-text-muted" },
  unsaved: { icon: Loader, word: "Reconnecting, saved in this browser", color: "text-warning" },
} as const;

export function SaveStatus() {
  const { autosave, view, access } = useSession();
  const saved = useSaveState((state) => state.phase);
  const hasDrafts = useOpenDrafts();
  const phase = saved === "saved" && hasDrafts ? "unsaved" : saved;
  const message = useSaveState((state) => state.message);
  const isWaiting = useView(({ editing }) => editing === "waiting");
  const isReconnecting = useLive(({ status }) => status === "reconnecting") && navigator.onLine;
  const reconnectingStyle = reconnectingStyles[phase === "saved" ? "saved" : "unsaved"];
  const connectedStyle = isReconnecting ? reconnectingStyle : phaseStyles[phase];
  const editorStyle = access.mayEdit ? connectedStyle : readingStyle;
  const { icon: Icon, word, color } = isWaiting ? waitingStyle : editorStyle;
  const action = "shrink-0 font-medium text-accent-text underline underline-offset-2";
  return (
    <div className={`flex min-w-0 items-center gap-1.5 text-xs ${color}`}>
      <span
        role="status"
        aria-label="Save state"
        title={toPlainMessage(message) || undefined}
        className="flex items-center gap-1.5"
      >
        <Icon size={13} aria-hidden className={`shrink-0 ${phase === "saving" || isWaiting ? "animate-spin" : ""}`} />
        <span
          className={`whitespace-nowrap ${!isWaiting && access.mayEdit && (phase === "saved" || phase === "unsaved") ? "max-md:sr-only" : ""}`}
        >
          {word}
        </span>
      </span>
      {(phase === "failed" || phase === "offline") && (
        <button type="button" className={action} onClick={() => void autosave.flush()}>
          Retry
        </button>
      )}
      {phase === "conflict" && (
        <button type="button" className={action} onClick={() => view.setState({ dialog: "conflict" })}>
          Merge
        </button>
      )}
      {phase === "emptying" && (
        <button type="button" className={action} onClick={() => view.setState({ dialog: "emptying" })}>
          Decide
        </button>
      )}
    </div>
  );
}
