import "server-only";

/**
 * What a process tells the others: something was written to a run; its driver is to look at what it was asked for; connections
 * to providers or rules of teams have changed; a flow was saved; its live document was updated; what people may do has
 * changed; who has a flow open.
 */
const noteKinds = ["written", "asked", "settings", "saved", "updated", "access", "presence"] as const;
export type NoteKind = (typeof noteKinds)[number];

export const isNoteKind = (text: string | undefined): text is NoteKind => noteKinds.some((kind) => kind === text);

export interface ProcessNote {
  kind: NoteKind;
  /** Ids of runs, or of flows; none for `settings` and `access`, a text without spaces for `presence`. */
  ids: readonly string[];
}

export interface NoteSender {
  send(kind: NoteKind, id?: string): void;
}

declare global {
  /** One for all bundles of a process; undefined where no other process shares the database. */
  var swarmloomNoteSender: NoteSender | undefined;
}

/** Tells the other processes of this database, where there may be any. Never fails: they find out a little later in any case. */
export const tellProcesses = (kind: NoteKind, id?: string): void => globalThis.swarmloomNoteSender?.send(kind, id);
