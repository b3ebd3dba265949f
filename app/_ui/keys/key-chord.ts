export interface KeyStroke {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/** A key with its modifiers as users read it, e.g. `Ctrl Shift Z`. Cmd counts as Ctrl. */
export type KeyChord = string;

/** Where the focus has to be; `clipboard`: the browser turns the chord into an event of the clipboard. */
export type KeyScope = "editor" | "canvas" | "outline" | "clipboard";

const arrows = new Map([
  ["ArrowUp", "↑"],
  ["ArrowDown", "↓"],
  ["ArrowLeft", "←"],
  ["ArrowRight", "→"],
]);
const keyNames = new Map([...arrows, ["Delete", "Del"], ["Escape", "Esc"], [" ", "Space"]]);

const isCharacter = (chord: KeyChord): boolean => chord.length === 1 && ![...arrows.values()].includes(chord);

/** Keyboard layouts differ in the characters that need Shift, so it counts only where it makes a chord of its own. */
const ignoresShift: Record<KeyScope, (stroke: KeyStroke, isModified: boolean) => boolean> = {
  editor: ({ altKey }, isModified) => isModified && !altKey,
  canvas: ({ key }, isModified) => !isModified && /^[^a-z\s]$/i.test(key),
  outline: (_, isModified) => !isModified,
  clipboard: () => false,
};

/** The chords that a key stroke can mean, most specific first. Caps Lock makes no difference. */
function toChords(stroke: KeyStroke, scope: KeyScope): KeyChord[] {
  const { key, code, shiftKey, altKey } = stroke;
  const control = stroke.ctrlKey || stroke.metaKey;
  const modifiers = `${control ? "Ctrl " : ""}${altKey ? "Alt " : ""}`;
  const name = keyNames.get(key) ?? (key.length === 1 ? key.toUpperCase() : key);
  if (!shiftKey) return [modifiers + name];
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  return [
    `${modifiers}Shift ${name}`,
    ...(digit === undefined ? [] : [`${modifiers}Shift ${digit}`]),
    ...(ignoresShift[scope](stroke, control || altKey) ? [modifiers + name] : []),
  ];
}

/** What is bound to a key stroke in a scope; null: nothing. */
export function findBinding<T>(
  bindings: ReadonlyMap<KeyChord, T>,
  stroke: KeyStroke,
  { scope, singleKeys = true }: { scope: KeyScope; singleKeys?: boolean },
): T | null {
  const chord = toChords(stroke, scope).find((candidate) => bindings.has(candidate));
  if (chord === undefined || (!singleKeys && isCharacter(chord))) return null;
  return bindings.get(chord) ?? null;
}

const ariaNames = new Map([
  ["Ctrl", "Control"],
  ["Del", "Delete"],
  ["Esc", "Escape"],
  ["+", "Plus"],
  ...Array.from(arrows, ([key, arrow]) => [arrow, key] as const),
]);

export const toAriaKeys = (chords: readonly KeyChord[]): string | undefined =>
  chords
    .map((chord) =>
      chord
        .split(" ")
        .map((key) => ariaNames.get(key) ?? key)
        .join("+"),
    )
    .join(" ") || undefined;

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
