import type { KeyChord } from "@/app/_ui/keys/key-chord";

/** Keys of one pane that move, select and open: they are bound to the pane and are no commands of the palette. */
export interface PaneKeys<Context> {
  title: string;
  /** How the list of shortcuts shows the chords, where it does not name all of them. */
  shownChords?: string;
  handlers: Readonly<Record<KeyChord, (context: Context) => void>>;
}

export const toBindings = <Context>(
  keys: readonly PaneKeys<Context>[],
): ReadonlyMap<KeyChord, (context: Context) => void> =>
  new Map(keys.flatMap(({ handlers }) => Object.entries(handlers)));

export const describePaneKeys = <Context>({ shownChords, handlers }: PaneKeys<Context>): string =>
  shownChords ?? Object.keys(handlers).join(", ");
