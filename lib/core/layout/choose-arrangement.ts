import type { FlowDirection, Layout } from "../flow/edit";
import type { Flow } from "../flow/flow";
import type { NodeKey } from "../flow/node-key";
import { findUnreached } from "../kinds/members";
import { foldedKeys, mostWaitingColumns, toWaitingPosition, waitingGap } from "./arrange-flow";
import { type ArrangeOptions, cardSizes, type Density, frameInsetOf, gap } from "./arrangement";
import { type Box, buildRoot, isEmpty, type ListBox, type Sized } from "./build-boxes";
import { canWrap, sizeLines, wrapLines } from "./wrap-lines";

/** The least scale at which a card is comfortable to read. */
export const readableScale = 0.85;
/** While a panel takes room from a view, the whole flow at this scale is better than a readable part of it. */
export const reducedScale = 0.6;
/** Until then a flow stays as it is arranged: one that turns because a panel opens has to be read anew. */
export const keptScale = 0.7;
/** In a narrower area (of a phone) cards side by side are smaller, so that nothing is beyond the side. */
export const narrowWidth = 480;
export const narrowScale = 0.45;
/** A flow with more cards is an overview: it is arranged to be seen whole. */
export const mostReadableCards = 60;

interface FreeArea extends Sized {
  /** While a panel takes room: the least scale at which the flow may be seen whole; missing: `readableScale`. */
  leastScale?: number | undefined;
}

/**
 * How to arrange a flow for a view of this size (the pixels that are free for the flow): the first of these in which the
 * whole flow is readable at `readableScale`, otherwise the one that can be shown largest.
 *
 * 1. One line of full cards, in the direction of the layout; without one, in that of `current`, else to the right, else down.
 * 2. Full cards in several lines.
 * 3. The same with compact cards.
 *
 * A flow that is readable in none of them, and smaller than the `leastScale` of the view in all, has lines that fill the
 * length of the view; in a narrow area it runs down where its width is at least `narrowScale` then. While a panel takes
 * room the `current` arrangement stays down to `keptScale`. A layout with positions made by hand keeps the arrangement
 * that they were made in. Linear in the size of the flow.
 */
export function chooseArrangement(
  flow: Flow,
  layout: Layout,
  area: FreeArea,
  current: ArrangeOptions | null = null,
): ArrangeOptions {
  const direction = layout.direction ?? current?.direction ?? "right";
  if (isMadeByHand(layout)) return adaptToLayout(layout.fit ?? { density: "full" }, layout);
  const sizing = new FlowSizing(flow, area, foldedKeys(layout));
  const kept = current && area.leastScale !== undefined ? sizing.as(adaptToLayout(current, layout)) : null;
  if (kept && kept.scale >= keptScale) return kept.options;
  const isDirectionFree = layout.direction === undefined;
  const other = direction === "right" ? "down" : "right";
  let best: Candidate | null = null;
  const isLarge = sizing.cards > mostReadableCards;
  // Many agents in lines are seen larger than in one line of any direction.
  const isOtherTried = isDirectionFree && !(isLarge && sizing.canWrap(direction));
  for (const density of isLarge ? densities.slice(1) : densities)
    for (const candidate of [
      () => sizing.inOneLine(direction, density),
      () => (isOtherTried && !current ? sizing.inOneLine(other, density) : null),
      () => sizing.inLines(direction, density),
      () => (isOtherTried && current ? sizing.inOneLine(other, density) : null),
    ]) {
      const fitted = candidate();
      if (fitted && fitted.scale >= readableScale) return fitted.options;
      if (fitted && fitted.scale > (best?.scale ?? 0)) best = fitted;
    }
  if (best && best.scale >= (area.leastScale ?? readableScale)) return best.options;
  const scrolled = isLarge ? null : sizing.scrolling(direction, isDirectionFree);
  return scrolled ?? best?.options ?? { direction, density: "full" };
}

const densities = ["full", "compact"] as const;

/** Whether the layout contains positions made by hand, which an arrangement must keep. */
export const isMadeByHand = ({ pins, notes }: Layout): boolean =>
  Object.keys(pins).length > 0 || Object.keys(notes ?? {}).length > 0;

/** The options in the direction that the layout prescribes; lines of another direction have no meaning in it. */
export function adaptToLayout(
  options: ArrangeOptions,
  { direction = options.direction ?? "right" }: Layout,
): ArrangeOptions {
  if (direction === options.direction) return options;
  const { wrap: _, ...otherOptions } = options;
  return { ...otherOptions, direction };
}

export const isSameArrangement = (a: ArrangeOptions, b: ArrangeOptions): boolean =>
  a.direction === b.direction &&
  (a.density ?? "full") === (b.density ?? "full") &&
  a.wrap === b.wrap &&
  a.waitingColumns === b.waitingColumns;

/** The layout with the arrangement that its positions made by hand belong to; without such positions it has none. */
export function keepArrangement(layout: Layout, options: ArrangeOptions): Layout {
  if (!isMadeByHand(layout)) {
    const { fit: _, ...rest } = layout;
    return layout.fit ? rest : layout;
  }
  return layout.fit ? layout : { ...layout, fit: options };
}

interface Candidate {
  options: ArrangeOptions;
  /** At most 1. */
  scale: number;
}

/** A line with fewer members than this, on average, is a turn and little else. */
const leastMembersOfLine = 1.5;
/** The scales at which the lengths of lines are tried, in steps of this. */
const scaleStep = 0.94;
const leastScale = 0.01;

class FlowSizing {
  readonly #roots = new Map<string, Box>();
  readonly #waiting: number;
  readonly #waitingColumns: number;
  readonly cards: number;

  constructor(
    readonly flow: Flow,
    readonly area: Sized,
    readonly folded: ReadonlySet<NodeKey> | undefined,
  ) {
    this.#waiting = findUnreached(flow).length;
    const { width } = cardSizes.full;
    const columns = Math.floor((area.width / readableScale + gap.across) / (width + gap.across));
    this.#waitingColumns = Math.max(1, Math.min(columns, mostWaitingColumns));
    this.cards = flow.agents.size;
  }

  canWrap(direction: FlowDirection): boolean {
    return canWrap(this.#root(direction, "compact"));
  }

  /** As it is arranged elsewhere. Null: in lines that the flow does not have here. */
  as({ direction = "right", density = "full", wrap }: ArrangeOptions): Candidate | null {
    if (wrap === undefined) return this.inOneLine(direction, density);
    const root = this.#root(direction, density);
    const scale = canWrap(root) ? this.#scaleOfLines(root, direction, density, wrap) : null;
    return scale === null ? null : { options: { ...this.#toOptions(direction, density), wrap }, scale };
  }

  inOneLine(direction: FlowDirection, density: Density): Candidate {
    const root = this.#root(direction, density);
    return { options: this.#toOptions(direction, density), scale: this.#scaleOf(root, density) };
  }

  /** Lines of nearly equal lengths, as many as show the flow largest. Null when it has no lines. */
  inLines(direction: FlowDirection, density: Density): Candidate | null {
    const root = this.#root(direction, density);
    if (!canWrap(root)) return null;
    const length = lengthOf(this.area, direction);
    let best: { wrap: number; scale: number } | null = null;
    for (let target = 1; target > leastScale; target *= scaleStep) {
      const wrap = Math.floor(length / target);
      const scale = this.#scaleOfLines(root, direction, density, wrap);
      if (scale !== null && scale > (best?.scale ?? 0)) best = { wrap, scale };
      if (best && best.scale >= target) break;
    }
    if (!best) return null;
    const wrap = this.#shorten(root, direction, best.wrap);
    const shortened = this.#scaleOfLines(root, direction, density, wrap) ?? 0;
    const isAsLarge = shortened >= best.scale;
    return {
      options: { ...this.#toOptions(direction, density), wrap: isAsLarge ? wrap : best.wrap },
      scale: best.scale,
    };
  }

  /** Lines that fill the view along the flow and continue beyond it across. */
  scrolling(direction: FlowDirection, isDirectionFree: boolean): ArrangeOptions | null {
    const isNarrow = this.area.width < narrowWidth;
    const scale = isNarrow ? narrowScale : readableScale;
    const fitsDown = isDirectionFree && this.#root("down", "compact").width * scale <= this.area.width;
    const down = fitsDown ? this.#toOptions("down", "compact") : null;
    if (isNarrow && down) return down;
    const root = this.#root(direction, "compact");
    const wrap = Math.floor(lengthOf(this.area, direction) / readableScale);
    const hasLines = canWrap(root) && hasFullLines(wrapLines(root, direction, wrap), root);
    return hasLines ? { ...this.#toOptions(direction, "compact"), wrap } : down;
  }

  #root(direction: FlowDirection, density: Density): Box {
    const key = `${direction} ${density}`;
    const root = this.#roots.get(key) ?? buildRoot(this.flow, direction, { density, folded: this.folded }).root;
    this.#roots.set(key, root);
    return root;
  }

  #toOptions(direction: FlowDirection, density: Density): ArrangeOptions {
    return { direction, density, ...(this.#waiting > 0 ? { waitingColumns: this.#waitingColumns } : {}) };
  }

  #scaleOfLines(root: ListBox, direction: FlowDirection, density: Density, wrap: number): number | null {
    const lines = wrapLines(root, direction, wrap);
    if (lines.length < 2 || !hasFullLines(lines, root)) return null;
    return this.#scaleOf(sizeLines(lines, direction), density);
  }

  #scaleOf(size: Sized, density: Density): number {
    const { width, height } = this.#withWaiting(this.#withFrame(size), density);
    return Math.min(1, this.area.width / Math.max(1, width), this.area.height / Math.max(1, height));
  }

  /** The root swarm has a frame with a label on its edge, unless it is a workflow. */
  #withFrame(size: Sized): Sized {
    const { mode } = this.flow.swarm;
    if (mode === "workflow" || size.width === 0) return size;
    const { left, right, top, bottom } = frameInsetOf({ type: "swarm", mode }, "right");
    return { width: size.width + left + right, height: size.height + top + bottom + labelOverhang };
  }

  #withWaiting(size: Sized, density: Density): Sized {
    if (this.#waiting === 0) return size;
    const card = cardSizes[density];
    const columns = this.#waitingColumns;
    const { y } = toWaitingPosition(this.#waiting - 1, card, columns);
    const { x } = toWaitingPosition(Math.min(this.#waiting, columns) - 1, card, columns);
    const top = size.width === 0 ? 0 : size.height + waitingGap;
    return { width: Math.max(size.width, x + card.width), height: top + y + card.height };
  }

  /** The shortest length of a line with which there are no more lines than with this one. */
  #shorten(root: ListBox, direction: FlowDirection, wrap: number): number {
    const count = wrapLines(root, direction, wrap).length;
    let [low, high] = [Math.floor(wrap / 2), wrap];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (wrapLines(root, direction, middle).length <= count) high = middle;
      else low = middle + 1;
    }
    return high;
  }
}

const labelOverhang = 12;

const hasFullLines = (lines: readonly ListBox[], root: ListBox): boolean =>
  root.members.filter((member) => !isEmpty(member)).length >= leastMembersOfLine * lines.length;

const lengthOf = (size: Sized, direction: FlowDirection): number => (direction === "right" ? size.width : size.height);
