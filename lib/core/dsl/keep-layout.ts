import type { FlowTextKind } from "../flow/expression";
import { applyChanges } from "../flow/text-change";
import type { TextChange, TextRange } from "../flow/text-range";
import { type DslToken, lexDsl } from "./lexer";
import { parseFlow } from "./parse";
import { printFlow } from "./print";

/** More comparisons of tokens than this are not made: the stretch that differs is then written anew. */
const maxComparisons = 4_000_000;

/**
 * A flow text that means what `newText` means, in the layout of `oldText`: its comments and the quotes of its names stay, its
 * lines and spaces as far as the tokens beside them stay.
 */
export function keepLayout(oldText: string, newText: string, as: FlowTextKind): string {
  if (newText === "" || oldText.trim() === "") return newText;
  const kept = applyChanges(oldText, tokenChanges(oldText, withWrittenNames(oldText, newText)));
  const meaning = (text: string): string | null => {
    const { expression } = parseFlow(text, { as });
    return expression && printFlow(expression);
  };
  const newMeaning = meaning(newText);
  if (newMeaning !== null && meaning(kept) === newMeaning && lostComments(oldText, kept).length === 0) return kept;
  return [...lostComments(oldText, newText), newText].join("\n") + (oldText.endsWith("\n") ? "\n" : "");
}

/** The new text with the names in quotes that are in quotes in the old one. */
function withWrittenNames(oldText: string, newText: string): string {
  const quoted = tokensOf(oldText).flatMap(({ type, text, from, to }): [string, string][] =>
    type === "name" && oldText[from] === '"' ? [[text, oldText.slice(from, to)]] : [],
  );
  const written = new Map(quoted);
  if (written.size === 0) return newText;
  const changes = tokensOf(newText).map(({ type, text, from, to }) => ({
    from,
    to,
    insert: (type === "name" ? written.get(text) : undefined) ?? newText.slice(from, to),
  }));
  return applyChanges(newText, changes);
}

/** The comments of a flow text that another one does not have. */
function lostComments(oldText: string, newText: string): string[] {
  const remaining = commentsOfFlowText(newText);
  return commentsOfFlowText(oldText).filter((comment) => {
    const index = remaining.indexOf(comment);
    if (index >= 0) remaining.splice(index, 1);
    return index < 0;
  });
}

/** The comments inside a flow text. */
export function commentsOfFlowText(text: string): string[] {
  const tokens = lexDsl(text);
  return tokens.flatMap(({ from: next }, index) => {
    const gap = text.slice(tokens[index - 1]?.to ?? 0, next);
    return gap.split(/\r?\n/).flatMap((line) => /#.*$/.exec(line)?.[0].trimEnd() ?? []);
  });
}

/** The changes that turn the tokens of a text into those of another one. */
function tokenChanges(oldText: string, newText: string): TextChange[] {
  const [oldTokens, newTokens] = [tokensOf(oldText), tokensOf(newText)];
  const matches = [...matchTokens(oldTokens, newTokens), [oldTokens.length, newTokens.length] as const];
  let [oldStart, newStart] = [0, 0];
  return matches.flatMap(([oldIndex, newIndex]) => {
    const added = newTokens.slice(newStart, newIndex);
    const [from, to] = added.length === 0 ? onFewerLines(oldText, oldTokens, oldStart, oldIndex) : [oldStart, oldIndex];
    const stretch = { oldText, newText, before: oldTokens[from - 1], next: oldTokens[to] };
    const changes = replaceTokens(oldTokens.slice(from, to), added, stretch);
    [oldStart, newStart] = [oldIndex + 1, newIndex + 1];
    return changes;
  });
}

/** Of `b >>` and the `>> b` before it the one that is on fewer lines: the other lines stay as they are. */
function onFewerLines(text: string, tokens: readonly DslToken[], start: number, end: number): [number, number] {
  const linesOf = (first: DslToken | undefined, last: DslToken | undefined): number =>
    first && last ? text.slice(first.from, last.to).split("\n").length : 0;
  const [before, last] = [tokens[start - 1], tokens[end - 1]];
  const isSame = before && last && end > start && before.type === last.type && before.text === last.text;
  const isShorter = linesOf(before, tokens[end - 2]) < linesOf(tokens[start], last);
  return isSame && isShorter ? [start - 1, end - 1] : [start, end];
}

const tokensOf = (text: string): DslToken[] => lexDsl(text).filter(({ type }) => type !== "end");

interface Stretch {
  oldText: string;
  newText: string;
  /** The tokens of the old text around the stretch. */
  before: DslToken | undefined;
  next: DslToken | undefined;
}

function replaceTokens(
  removed: readonly DslToken[],
  added: readonly DslToken[],
  { oldText, newText, before, next }: Stretch,
): TextChange[] {
  const [firstAdded, lastAdded] = [added[0], added.at(-1)];
  const insert = firstAdded && lastAdded ? newText.slice(firstAdded.from, lastAdded.to) : "";
  const [firstRemoved, ...otherRemoved] = removed;
  const removals = joinOnLines(oldText, insert === "" ? removed : otherRemoved).map(({ from, to }) => ({
    ...withSpaces(oldText, from, to, firstRemoved?.from === from && before?.type === "open"),
    insert: "",
  }));
  if (insert === "" || !firstAdded || !lastAdded) return removals;
  if (firstRemoved) return [{ from: firstRemoved.from, to: firstRemoved.to, insert }, ...removals];
  const gapBefore = /\s*$/.exec(newText.slice(0, firstAdded.from))?.[0] ?? "";
  const gapAfter = /^\s*/.exec(newText.slice(lastAdded.to))?.[0] ?? "";
  if (!before) return next ? [{ from: next.from, to: next.from, insert: insert + gapAfter }] : [];
  // An opening parenthesis belongs to the token after it.
  if (gapAfter === "" && next) {
    const isApart = /\s/.test(oldText[next.from - 1] ?? "");
    return [{ from: next.from, to: next.from, insert: (isApart ? "" : gapBefore) + insert }];
  }
  const isOpen = /\s/.test(oldText[before.to] ?? " ");
  return [{ from: before.to, to: before.to, insert: gapBefore + insert + (isOpen ? "" : gapAfter) }];
}

/** The ranges of tokens; those with only spaces between them are one range. */
function joinOnLines(text: string, tokens: readonly DslToken[]): TextRange[] {
  const ranges: TextRange[] = [];
  for (const { from, to } of tokens) {
    const last = ranges.at(-1);
    if (last && /^[ \t]*$/.test(text.slice(last.to, from))) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges;
}

/** A range with the spaces before it, or after it at the start of a line or of parentheses. */
function withSpaces(text: string, from: number, to: number, isOpening: boolean): TextRange {
  const before = /[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0;
  const isLineStart = from - before === 0 || text[from - before - 1] === "\n";
  const after = /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0;
  if (!isLineStart) {
    // One space stays where something follows.
    if (before > 0 && after === 0 && /^[^\s)]/.test(text.slice(to))) return { from, to };
    return isOpening && before === 0 ? { from, to: to + after } : { from: from - before, to };
  }
  const isWholeLine = /^\r?(?:\n|$)/.test(text.slice(to + after));
  // A line with nothing on it goes.
  const lineBreak = isWholeLine ? (/\r?\n[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0) : 0;
  return { from: from - lineBreak, to: to + after };
}

/** Pairs of equal tokens, as many as possible, in the order of both texts. */
function matchTokens(oldTokens: readonly DslToken[], newTokens: readonly DslToken[]): (readonly [number, number])[] {
  const isSame = (oldIndex: number, newIndex: number): boolean => {
    const [a, b] = [oldTokens[oldIndex], newTokens[newIndex]];
    return a !== undefined && b !== undefined && a.type === b.type && a.text === b.text;
  };
  const shortest = Math.min(oldTokens.length, newTokens.length);
  let start = 0;
  while (start < shortest && isSame(start, start)) start++;
  let end = 0;
  while (end < shortest - start && isSame(oldTokens.length - 1 - end, newTokens.length - 1 - end)) end++;
  const [oldCount, newCount] = [oldTokens.length - start - end, newTokens.length - start - end];
  const middle =
    oldCount * newCount > maxComparisons ? [] : matchMiddle(oldCount, newCount, (a, b) => isSame(start + a, start + b));
  const range = (count: number) => Array.from({ length: count }, (_, index) => index);
  return [
    ...range(start).map((index) => [index, index] as const),
    ...middle.map(([a, b]) => [start + a, start + b] as const),
    ...range(end).map((index) => [oldTokens.length - end + index, newTokens.length - end + index] as const),
  ];
}

/** A longest common subsequence. */
function matchMiddle(
  oldCount: number,
  newCount: number,
  isSame: (a: number, b: number) => boolean,
): [number, number][] {
  const width = newCount + 1;
  const lengths = new Uint32Array((oldCount + 1) * width);
  const at = (a: number, b: number): number => lengths[a * width + b] ?? 0;
  for (let a = oldCount - 1; a >= 0; a--)
    for (let b = newCount - 1; b >= 0; b--)
      lengths[a * width + b] = isSame(a, b) ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
  const matches: [number, number][] = [];
  for (let a = 0, b = 0; a < oldCount && b < newCount; ) {
    if (isSame(a, b)) matches.push([a++, b++]);
    else if (at(a + 1, b) >= at(a, b + 1)) a++;
    else b++;
  }
  return matches;
}
