import { type Alias, type Document, type Node, YAMLParseError } from "yaml";
import { findBoundary } from "../../flow/find-boundary";
import { limits } from "../../flow/flow";
import { aliasTargets } from "./yaml-nodes";

/**
 * What makes the aliases of a document unreadable: one that is inside the value that it repeats, so that it never ends, or
 * aliases that repeat more text than is read. Unknown aliases are no concern here: a part of a file has its anchors
 * elsewhere. Linear but for a search in the aliases before each one.
 */
export function findAliasMistake(document: Document): YAMLParseError | null {
  /** Where each alias is, and how much text the aliases up to it repeat. */
  const offsets: number[] = [];
  const totals: number[] = [];
  for (const [alias, target] of aliasTargets(document)) {
    const aliasStart = alias.range?.[0] ?? 0;
    if (target && covers(target, aliasStart))
      return mistake(
        alias,
        `\`*${alias.source}\` is inside the value that it repeats (\`&${alias.source}\`), so it has no end. Write the value out here.`,
      );
    const total = (totals.at(-1) ?? 0) + (target ? lengthOf(target, offsets, totals) : 0);
    if (total > limits.repeatedLength)
      return mistake(
        alias,
        `Aliases repeat more than ${limits.repeatedLength} characters up to here. Expected less; use fewer of them.`,
      );
    offsets.push(aliasStart);
    totals.push(total);
  }
  return null;
}

const covers = ({ range }: Node, offset: number): boolean =>
  range !== null && range !== undefined && range[0] <= offset && offset < range[1];

/** The length of a value with everything that the aliases in it repeat; all of them are known already. */
function lengthOf({ range }: Node, offsets: readonly number[], totals: readonly number[]): number {
  const [start, end] = range ?? [0, 0];
  const totalBefore = (offset: number): number => totals[countBefore(offsets, offset) - 1] ?? 0;
  return end - start + totalBefore(end) - totalBefore(start);
}

/** How many of the ascending numbers are below `limit`. */
const countBefore = (numbers: readonly number[], limit: number): number =>
  findBoundary(numbers.length, (index) => (numbers[index] ?? 0) >= limit);

const mistake = ({ range }: Alias, message: string): YAMLParseError =>
  new YAMLParseError([range?.[0] ?? 0, range?.[1] ?? 0], "RESOURCE_EXHAUSTION", message);
