export interface Hint {
  anchor: Element;
  text: string;
}

/** How long the pointer rests before a hint shows, and how long one stays while the pointer goes over to it. */
const restMs = 400;
const stayMs = 100;

/**
 * Tells which hint (`data-hint`) should show, null for none: once the pointer rests, at once while hints are being read,
 * and at once where the keyboard arrives. A press, Escape or scrolling ends it. Returns how to stop.
 */
export function watchHints(show: (hint: Hint | null) => void, isHint: (target: Node) => boolean): () => void {
  let visibleHint: Hint | null = null;
  let over: Element | null = null;
  let endedAt = Number.NEGATIVE_INFINITY;
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
    endedAt = performance.now();
    changes.disconnect();
    show(null);
  };
  const after = (delay: number, act: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(act, delay);
  };
  // What a hint says may change while it shows, and what it belongs to may go.
  const changes = new MutationObserver(() => {
    if (!visibleHint) return;
    const { anchor: of, text } = visibleHint;
    const now = of.getAttribute("data-hint");
    if (!of.isConnected || !now) close();
    else if (now !== text) open(of);
  });

  const listeners = new AbortController();
  const on = <K extends keyof DocumentEventMap>(type: K, act: (event: DocumentEventMap[K]) => void): void =>
    document.addEventListener(type, act, { capture: true, passive: true, signal: listeners.signal });
  on("pointerover", ({ target, pointerType }) => {
    if (pointerType === "touch" || !(target instanceof Element)) return;
    const next = isHint(target) ? (visibleHint?.anchor ?? null) : target.closest("[data-hint]");
    if (next === over) return;
    over = next;
    if (!next) after(stayMs, close);
    else if (next === visibleHint?.anchor) clearTimeout(timer);
    else if (visibleHint || performance.now() - endedAt < restMs) after(0, () => open(next));
    else after(restMs, () => open(next));
  });
  on("focusin", ({ target }) => {
    const next = target instanceof Element && target.matches(":focus-visible") ? target.closest("[data-hint]") : null;
    if (next) open(next);
    else close();
  });
  on("focusout", close);
  on("pointerdown", close);
  on("scroll", ({ target }) => {
    if (visibleHint && target instanceof Node && target.contains(visibleHint.anchor)) close();
  });
  on("keydown", ({ key }) => {
    if (key === "Escape") close();
  });
  // The pointer may rest on something already.
  const rested = matchMedia("(hover: hover)").matches
    ? [...document.querySelectorAll("[data-hint]:hover")].at(-1)
    : null;
  if (rested) {
    over = rested;
    after(restMs, () => open(rested));
  }
  return () => {
    listeners.abort();
    close();
  };
}
