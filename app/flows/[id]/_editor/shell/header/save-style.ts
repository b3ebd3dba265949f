import {
  Check,
  CircleAlert,
  CircleDot,
  Eye,
  GitMerge,
  Loader,
  Lock,
  type LucideIcon,
  Wifi,
  WifiOff,
} from "lucide-react";
import type { SavePhase } from "../../state/save/autosave";

export interface SaveStyle {
  icon: LucideIcon;
  word: string;
  color: string;
  /** The icon turns. */
  isBusy?: true;
  /** On a narrow screen the icon is enough. */
  isQuiet?: true;
}

const phaseStyles: Record<SavePhase, SaveStyle> = {
  saved: { icon: Check, word: "Saved", color: "text-text-muted", isQuiet: true },
  unsaved: { icon: CircleDot, word: "Unsaved", color: "text-text-muted", isQuiet: true },
  saving: { icon: Loader, word: "Saving…", color: "text-text-muted", isBusy: true },
  failed: { icon: CircleAlert, word: "Not saved", color: "text-danger" },
  offline: { icon: WifiOff, word: "Offline, saved in this browser", color: "text-warning" },
  conflict: { icon: GitMerge, word: "Changed elsewhere", color: "text-warning" },
  emptying: { icon: CircleAlert, word: "Not saved: empty", color: "text-warning" },
  "no-access": { icon: Lock, word: "No access", color: "text-danger" },
};

/** Of changes that only this page has. */
const keepOpenStyle: SaveStyle = { icon: WifiOff, word: "Offline, keep this page open", color: "text-danger" };
const readingStyle: SaveStyle = { icon: Eye, word: "View only", color: "text-text-muted" };
const waitingStyle: SaveStyle = { icon: Loader, word: "Loading the editor…", color: "text-text-muted", isBusy: true };
const offlineStyle: SaveStyle = { icon: WifiOff, word: "Offline", color: "text-warning" };
const reconnectedStyle: SaveStyle = { icon: Wifi, word: "Back online", color: "text-success" };
const reconnectingStyle: SaveStyle = { icon: Loader, word: "Reconnecting…", color: "text-text-muted" };
const reconnectingUnsavedStyle: SaveStyle = {
  icon: Loader,
  word: "Reconnecting, saved in this browser",
  color: "text-warning",
};
const reconnectingKeepOpenStyle: SaveStyle = {
  icon: Loader,
  word: "Reconnecting, keep this page open",
  color: "text-danger",
};

export interface SaveStanding {
  phase: SavePhase;
  connection: ConnectionState;
  /** The user did something before the editor was loaded. */
  isLoading: boolean;
  mayEdit: boolean;
  /** The browser could not store what is not saved. */
  isBackupFailing: boolean;
}

/** `reconnected`: a moment ago. */
export type ConnectionState = "online" | "offline" | "reconnecting" | "reconnected";

/** What the editor shows about the last changes and about the connection: what the user has to decide comes first. */
export function toSaveStyle({ phase, connection, isLoading, mayEdit, isBackupFailing }: SaveStanding): SaveStyle {
  if (phase === "no-access") return phaseStyles[phase];
  if (isLoading) return waitingStyle;
  const isUnsaved = mayEdit && phase !== "saved";
  if (phase === "conflict" || phase === "emptying") return phaseStyles[phase];
  const unsavedOffline = isBackupFailing ? keepOpenStyle : phaseStyles.offline;
  const unsavedReconnecting = isBackupFailing ? reconnectingKeepOpenStyle : reconnectingUnsavedStyle;
  if (connection === "offline") return isUnsaved ? unsavedOffline : offlineStyle;
  if (connection === "reconnecting") return isUnsaved ? unsavedReconnecting : reconnectingStyle;
  if (connection === "reconnected" && !isUnsaved) return reconnectedStyle;
  if (!mayEdit) return readingStyle;
  return phase === "offline" ? unsavedOffline : phaseStyles[phase];
}
