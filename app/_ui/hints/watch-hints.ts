export interface Hint {
  anchor: Element;
  text: string;
}

const restMs = 400;
const stayMs = 100;

/**
 * Reports which hint (`data-hint`) to show, null for none: once the pointer rests, at once while hints are being read,
 * and at once on keyboard focus. A press, Escape or scrolling closes it. Returns a function that stops.
 */
export function watchHints(show: (hint: Hint | null) => void, isHint: (target: Node) => boolean): () => void {
  const hints = createHintTimer(show);
  const listeners = new AbortController();
  const on = <K extends keyof DocumentEventMap>(type: K, listener: (event: DocumentEventMap[K]) => void): void =>
    document.addEventListener(type, listener, { capture: true, passive: true, signal: listeners.signal });
  let hovered: Element | null = null;
  on("pointerover", ({ target, pointerType }) => {
    if (pointerType === "touch" || !(target instanceof Element)) return;
    const anchor = isHint(target) ? hints.anchor() : target.closest("[data-hint]");
    if (anchor === hovered) return;
    hovered = anchor;
    hints.hover(anchor);
  });
  on("focusin", ({ target }) => {
    const anchor = target instanceof Element && target.matches(":focus-visible") ? target.closest("[data-hint]") : null;
    if (anchor) hints.open(anchor);
    else hints.close();
  });
  on("focusout", hints.close);
  on("pointerdown", hints.close);
  on("scroll", ({ target }) => {
    if (target instanceof Node && target.contains(hints.anchor())) hints.close();
  });
  on("keydown", ({ key }) => {
    if (key === "Escape") hints.close();
  });
  // The pointer may already rest on an element.
  if (matchMedia("(hover: hover)").matches) {
    hovered = [...document.querySelectorAll("[data-hint]:hover")].at(-1) ?? null;
    if (hovered) hints.openAfterRest(hovered);
  }
  return () => {
    listeners.abort();
    hints.close();
  };
}

function createHintTimer(show: (hint: Hint | null) => void) {
  let visibleHint: Hint | null = null;
  let closedAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = (anchor: Element): void => {
    const text = anchor.getAttribute("data-hint");
    if (!anchor.isConnected || !text) return;
    visibleHint = { anchor, text };
    show(visibleHint);
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-hint"] });
  };
  const close = (): void => {
    clearTimeout(timer);
    if (!visibleHint) return;
    visibleHint = null;
    closedAt = performance.now();
    changes.disconnect();
    show(null);
  };
  const schedule = (delayMs: number, action: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(action, delayMs);
  };
  // The text of a visible hint may change, and its anchor may be removed.
  const changes = new MutationObserver(() => {
    if (!visibleHint) return;
    const { anchor, text } = visibleHint;
    const currentText = anchor.getAttribute("data-hint");
    if (!anchor.isConnected || !currentText) close();
    else if (currentText !== text) open(anchor);
  });
  return {
    open,
    close,
    anchor: (): Element | null => visibleHint?.anchor ?? null,
    openAfterRest: (anchor: Element): void => schedule(restMs, () => open(anchor)),
    /** Null: the pointer left. */
    hover(anchor: Element | null): void {
      if (!anchor) schedule(stayMs, close);
      else if (anchor === visibleHint?.anchor) clearTimeout(timer);
      else schedule(visibleHint || performance.now() - closedAt < restMs ? 0 : restMs, () => open(anchor));
    },
  };
}
