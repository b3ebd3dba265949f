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

export const views = ["waterfall", "canvas", "conversation", "flame"] as const;
export type TimelineView = (typeof views)[number];

const debouncedInteger = parseAsInteger.withOptions({ limitUrlUpdates: debounce(250) });

const parseAsMoment = createParser({
  parse: (text) => (/^\d{1,13}(\.\d{1,4})?$/.test(text) ? Number(text) : null),
  serialize: (moment) => String(Number(moment.toFixed(4))),
});

/** The whole view state, so that an address reproduces the view. Times are milliseconds since the run's start. */
const viewParams = {
  view: parseAsStringLiteral(views).withDefault("waterfall"),
  node: parseAsInteger,
  at: parseAsMoment,
  from: debouncedInteger,
  to: debouncedInteger,
  /** Whether the last 30 s of a running run are displayed, where no range was chosen. */
  follow: parseAsBoolean.withDefault(true),
  q: parseAsString.withDefault(""),
  errors: parseAsBoolean.withDefault(false),
  group: parseAsStringLiteral(groupings),
  critical: parseAsBoolean.withDefault(false),
  squeeze: parseAsBoolean.withDefault(false),
  time: parseAsStringLiteral(timeMeanings).withDefault("wall"),
  depth: parseAsInteger,
  fold: parseAsArrayOf(parseAsInteger, ".").withDefault([]),
};

export const useViewState = () => useQueryStates(viewParams, { history: "replace", shallow: true, scroll: false });

export type ViewState = ReturnType<typeof useViewState>[0];
export type ChangeView = (change: Partial<{ [K in keyof ViewState]: ViewState[K] | null }>) => void;
