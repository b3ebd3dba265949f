"use client";
import {
  createParser,
  debounce,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { groupings } from "@/lib/core/trace/timeline/span-groups";
import { timeMeanings } from "@/lib/core/trace/timeline/span-times";

export const views = ["waterfall", "flame", "canvas", "conversation"] as const;
export type TimelineView = (typeof views)[number];

/** What changes many times a second while somebody drags or turns the wheel stands in the address once they rest. */
const debouncedInteger = parseAsInteger.withOptions({ limitUrlUpdates: debounce(250) });

/** A moment as exact as it is shown: times of this century are told apart down to a four-thousandth of a millisecond. */
const parseAsMoment = createParser({
  parse: (text) => (/^\d{1,13}(\.\d{1,4})?$/.test(text) ? Number(text) : null),
  serialize: (moment) => String(Number(moment.toFixed(4))),
});

/** Everything that makes up what is shown of a run: one address, one picture. Times are milliseconds since the run's start. */
const viewParams = {
  view: parseAsStringLiteral(views).withDefault("waterfall"),
  /** Id of the selected step. */
  node: parseAsInteger,
  at: parseAsMoment,
  from: debouncedInteger,
  to: debouncedInteger,
  q: parseAsString.withDefault(""),
  errors: parseAsBoolean.withDefault(false),
  group: parseAsStringLiteral(groupings),
  critical: parseAsBoolean.withDefault(false),
  squeeze: parseAsBoolean.withDefault(false),
  time: parseAsStringLiteral(timeMeanings).withDefault("wall"),
  /** Rows of this depth and deeper are closed; `fold` names those for which it is the other way round. */
  depth: parseAsInteger,
  fold: parseAsArrayOf(parseAsInteger, ".").withDefault([]),
};

/** What is shown, kept in the address without a step back for each change. */
export const useViewState = () => useQueryStates(viewParams, { history: "replace", shallow: true, scroll: false });

export type ViewState = ReturnType<typeof useViewState>[0];
export type ChangeView = (change: Partial<{ [K in keyof ViewState]: ViewState[K] | null }>) => void;
