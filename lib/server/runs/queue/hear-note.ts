import "server-only";
import { logger } from "../../log/logger";
import { wakeReaders } from "../store/notify-run";
import type { NoteKind, ProcessNote } from "../store/tell-processes";

/** What a process does about what others tell it, besides its open flows. */
export interface NoteReceivers {
  /** Looks at what runs that it drives were asked for; `runIds`: only where one of them is among these. */
  executor: { look(runIds?: readonly string[]): Promise<void> };
  /** Reads the settings again that are kept in memory. */
  reloadSettings(): Promise<void>;
}

type Ids = ProcessNote["ids"];

const forEach =
  (act: (id: string) => void) =>
  (_: NoteReceivers, ids: Ids): void => {
    for (const id of ids) act(id);
  };

const handlers: Readonly<Record<NoteKind, (receivers: NoteReceivers, ids: Ids) => void>> = {
  written: (_, ids) => wakeReaders(ids),
  asked: ({ executor }, ids) => void executor.look(ids),
  settings: (receivers) => void reloadSettings(receivers),
  saved: forEach((id) => globalThis.swarmloomRooms?.onSaved(id)),
  updated: forEach((id) => globalThis.swarmloomRooms?.onUpdated(id)),
  access: () => globalThis.swarmloomRooms?.onAccessChanged(),
  presence: forEach((message) => globalThis.swarmloomRooms?.onPresence(message)),
};

/** Does what another process told. */
export const hearNote = ({ kind, ids }: ProcessNote, receivers: NoteReceivers): void => handlers[kind](receivers, ids);

/** Does what others may have told while this process did not hear them. */
export function catchUp(receivers: NoteReceivers): void {
  wakeReaders();
  void receivers.executor.look();
  void reloadSettings(receivers);
  globalThis.swarmloomRooms?.onMissed();
}

const reloadSettings = (receivers: NoteReceivers): Promise<void> =>
  receivers
    .reloadSettings()
    .catch((error: unknown) =>
      logger.error({ err: error }, "the settings that another process changed could not be read"),
    );
