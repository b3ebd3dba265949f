const heldTypes = [
  "pointerdown",
  "pointermove",
  "pointerup",
  "mousedown",
  "mousemove",
  "mouseup",
  "click",
  "dblclick",
  "contextmenu",
  "touchstart",
  "keydown",
  "keyup",
] as const;

/** What the browser does of itself would happen twice. */
const preventedTypes: readonly string[] = ["click", "contextmenu", "keydown"];

/** After these the page may have changed: what follows waits until it is drawn. */
const endsOfGestures: readonly string[] = ["click", "dblclick", "contextmenu", "keydown"];

/**
 * Holds back what a user does in the page until `release`, which does all of it in its order. Links, scrolling, fields that
 * are not part of the flow, and leaving the page work meanwhile. `onFirst` is called with the first thing that is held.
 */
export function holdInput(onFirst: () => void): { release(): Promise<void>; stop(): void } {
  const held: Event[] = [];
  /** What is done in them goes on waiting after they can be written in, so that it stays in its order. */
  const waitingFields = new Set<Element>();
  /** A gesture that began in the page and ends in a field waits as a whole. */
  let isPressHeld = false;
  const listeners = new AbortController();
  const isHeld = (event: Event, element: Element | null): boolean => {
    if (element?.closest("a[href]")) return false;
    const field = element?.closest(writableField) ?? null;
    const isInField = field !== null && !waitingFields.has(field);
    if (event instanceof KeyboardEvent) return isKeyHeld(event, isInField, held.length > 0);
    if (event.type === "pointerdown") isPressHeld = !isInField;
    // A move alone does nothing; after a press it drags.
    if (event.type.endsWith("move") && held.length === 0) return false;
    return isPressHeld || !isInField;
  };
  const hold = (event: Event): void => {
    const element = event.target instanceof Element ? event.target : null;
    // What is done again is not held again.
    if (!event.isTrusted || !isHeld(event, element)) return;
    event.stopImmediatePropagation();
    if (preventedTypes.includes(event.type)) event.preventDefault();
    if (held.length === 0) onFirst();
    held.push(event);
    const field = element?.closest(anyField);
    if (field) waitingFields.add(field);
  };
  for (const type of heldTypes)
    window.addEventListener(type, hold, { capture: true, passive: false, signal: listeners.signal });
  return {
    async release() {
      // Fields that waited can be written in then.
      await afterDrawing();
      for (let event = held.shift(); event; event = held.shift()) {
        doAgain(event);
        if (endsOfGestures.includes(event.type)) await afterDrawing();
        if (listeners.signal.aborted) return;
      }
      listeners.abort();
    },
    stop: () => listeners.abort(),
  };
}

const anyField = "input, textarea, select, [contenteditable=true]";
const writableField = "input:not([readonly]), textarea:not([readonly]), select, [contenteditable=true]";

function isKeyHeld(event: KeyboardEvent, isInField: boolean, isHolding: boolean): boolean {
  if (event.type === "keyup") return isHolding;
  if (event.key === "Tab" || leavesPage(event)) return false;
  if (isInField) return event.key === "Escape" || (event.key === "Enter" && !isNewLine(event));
  // The browser turns it into a click.
  const isButton = event.target instanceof Element && event.target.matches("button, summary");
  return !(isButton && ["Enter", " "].includes(event.key));
}

const isNewLine = ({ target, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  !(target instanceof HTMLInputElement) && !ctrlKey && !metaKey;

/** The browser reloads, opens or copies with them. */
const leavesPage = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  altKey || /^F\d+$/.test(key) || ((ctrlKey || metaKey) && /^[rtnwlcxvp]$/i.test(key));

function doAgain(event: Event): void {
  const target = event.target instanceof Element && event.target.isConnected ? event.target : null;
  if (event instanceof KeyboardEvent) pressAgain(event, target);
  else if (event instanceof MouseEvent) {
    const copy =
      event instanceof PointerEvent ? new PointerEvent(event.type, event) : new MouseEvent(event.type, event);
    (target ?? document.elementFromPoint(event.clientX, event.clientY))?.dispatchEvent(copy);
  }
  // Of a touch the click that follows it is enough.
}

function pressAgain(event: KeyboardEvent, target: Element | null): void {
  const receiver = target && target !== document.body ? target : (document.activeElement ?? document.body);
  const isDone = !receiver.dispatchEvent(new KeyboardEvent(event.type, event));
  if (isDone || event.type === "keyup" || event.ctrlKey || event.metaKey || !receiver.matches(writableField)) return;
  // Scripts can write as a user does, with undo and events, by this command only.
  if (event.key.length === 1) document.execCommand("insertText", false, event.key);
  else if (event.key === "Enter" && isNewLine(event)) document.execCommand("insertText", false, "\n");
  else if (event.key === "Backspace") document.execCommand("delete");
  else if (event.key === "Delete") document.execCommand("forwardDelete");
  else if (receiver instanceof HTMLInputElement) moveCaret(receiver, event.key);
}

function moveCaret(field: HTMLInputElement, key: string): void {
  const end = field.value.length;
  const caret = field.selectionEnd ?? end;
  const carets: Readonly<Record<string, number>> = { Home: 0, End: end, ArrowLeft: caret - 1, ArrowRight: caret + 1 };
  const next = carets[key];
  if (next !== undefined) field.setSelectionRange(Math.max(0, next), Math.max(0, next));
}

const afterDrawing = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
