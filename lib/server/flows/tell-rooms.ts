import "server-only";
import { tellProcesses } from "../runs/store/tell-processes";

/** The open flows of this process, as everything else of the server sees them. */
export interface LiveRooms {
  /** The flow has a new head revision, which no open document wrote. */
  onSaved(flowId: string): void;
  /** Another process has stored updates of its document. */
  onUpdated(flowId: string): void;
  /** Another process tells who has the flow open there. */
  onPresence(message: string): void;
  /** What people may do has changed: open editors are checked before they change anything more. */
  onAccessChanged(): void;
  /** Notes of other processes may have been missed. */
  onMissed(): void;
}

declare global {
  /** Global because the start command, which answers the connections, is not part of the app's bundles. */
  var swarmloomRooms: LiveRooms | undefined;
}

/** Tells every process that a flow was saved by a request, so that open documents of it follow. Never fails. */
export function tellRooms(flowId: string): void {
  globalThis.swarmloomRooms?.onSaved(flowId);
  tellProcesses("saved", flowId);
}

/** Tells every process that what people may do has changed. Never fails. */
export function tellAccessChanged(): void {
  globalThis.swarmloomRooms?.onAccessChanged();
  tellProcesses("access");
}
