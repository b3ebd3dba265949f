import * as z from "zod/mini";
import { runStatusSchema } from "../../run/events/events";

/** How far back the run list looks, counted from the moment of reading, in milliseconds. */
export const timeSpans = { "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000, "30d": 2_592_000_000 } as const;
export type TimeSpan = keyof typeof timeSpans;

const text = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest));
const moment = z.iso.datetime({ offset: true });
const dollars = z.string().check(z.regex(/^\d{1,9}(\.\d{1,9})?$/, "expected US dollars like 0.25"));

/**
 * Which runs to show: the same in the address of the run list, in the API and in the CSV export. All fields that are
 * set must match. Values are texts, as an address has them.
 */
export const runFilterSchema = z.object({
  /** Words that all occur in the input or the output, whatever their case. */
  q: z.optional(text(200)),
  status: z.optional(runStatusSchema),
  /** Id of a flow. */
  flow: z.optional(text(100)),
  /** Id of the user who started it. */
  person: z.optional(text(200)),
  /** A model that was asked, `provider:model`. */
  model: z.optional(text(300)),
  /** Code of the error that it ended with. */
  error: z.optional(text(100)),
  /** Started so long ago at most; with `from` both must hold. */
  since: z.optional(z.enum(["1h", "24h", "7d", "30d"])),
  /** Created at this moment or later. */
  from: z.optional(moment),
  /** Created before this moment. */
  to: z.optional(moment),
  /** Cost in US dollars at least; runs of unknown cost are left out. */
  costFrom: z.optional(dollars),
  /** Cost in US dollars at most; runs of unknown cost are left out. */
  costTo: z.optional(dollars),
});
export type RunFilter = z.infer<typeof runFilterSchema>;

/** The search parameters of an address, as a framework passes them. */
export type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The filter in an address. Values that cannot be read are ignored; never throws. */
export function readRunFilter(searchParams: SearchParams): RunFilter {
  const result = runFilterSchema.safeParse(searchParams);
  if (result.success) return result.data;
  const unreadable = new Set(result.error.issues.map(({ path }) => path[0]));
  return runFilterSchema.parse(
    Object.fromEntries(Object.entries(searchParams).filter(([key]) => !unreadable.has(key))),
  );
}

/** The query string of a filter and further parameters; empty when there are none. */
export function writeRunFilter(filter: RunFilter, extraParams: Readonly<Record<string, string>> = {}): string {
  const entries = Object.entries({ ...filter, ...extraParams }).filter(
    ([, value]) => value !== undefined && value !== "",
  );
  return new URLSearchParams(entries).toString();
}

/** The words of a search, in lower case: at most eight. */
export const toSearchWords = (q: string): string[] => q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
