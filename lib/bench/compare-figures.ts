/** One figure of a benchmark; with `least`, more is better. */
export interface MeasuredFigure {
  subject: string;
  what: string;
  value: number;
  unit: string;
  least: boolean;
}

/** What one round measured of two builds, one right after the other. */
export interface ComparedRound {
  before: readonly MeasuredFigure[];
  after: readonly MeasuredFigure[];
}

export type FigureVerdict = "better" | "same" | "worse" | "not decided";

export interface ComparedFigure extends Omit<MeasuredFigure, "value"> {
  /** Medians of the rounds. */
  before: number;
  after: number;
  /** After by before, within each round: the median, the least and the most. */
  ratio: number;
  range: readonly [number, number];
  verdict: FigureVerdict;
}

/** A difference up to this share counts as none. */
const tolerance = 0.05;

/**
 * Compares two builds that were measured in turn. Both figures of a round see the same weather of the machine, so each round
 * gives a ratio; where the rounds disagree about a difference, it is noise and nothing is decided. Figures that one of the
 * builds lacks are left out.
 */
export function compareFigures(rounds: readonly ComparedRound[]): ComparedFigure[] {
  const pairs = new Map<string, { figure: MeasuredFigure; before: number[]; after: number[] }>();
  for (const { before, after } of rounds) {
    const earlier = new Map(before.map((figure) => [toKey(figure), figure.value]));
    for (const figure of after) {
      const value = earlier.get(toKey(figure));
      if (value === undefined || !Number.isFinite(value) || !Number.isFinite(figure.value)) continue;
      const pair = pairs.get(toKey(figure)) ?? { figure, before: [], after: [] };
      pair.before.push(value);
      pair.after.push(figure.value);
      pairs.set(toKey(figure), pair);
    }
  }
  return [...pairs.values()].map(({ figure: { subject, what, unit, least }, before, after }) => {
    const ratios = after.map((value, round) => toRatio(value, before[round] ?? Number.NaN));
    const range = [Math.min(...ratios), Math.max(...ratios)] as const;
    const ratio = toMedian(ratios);
    const verdict = judge(ratio, range, least);
    return { subject, what, unit, least, before: toMedian(before), after: toMedian(after), ratio, range, verdict };
  });
}

const toKey = ({ subject, what, unit }: MeasuredFigure): string => JSON.stringify([subject, what, unit]);

/** Nothing before and nothing after is no change. */
const toRatio = (after: number, before: number): number => (after === before ? 1 : after / before);

function judge(ratio: number, [lowest, highest]: readonly [number, number], least: boolean): FigureVerdict {
  const [more, less] = least ? (["better", "worse"] as const) : (["worse", "better"] as const);
  if (lowest > 1 + tolerance) return more;
  if (highest < 1 - tolerance) return less;
  return Math.abs(ratio - 1) <= tolerance ? "same" : "not decided";
}

/** Of an even count the mean of the two in the middle. */
function toMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
