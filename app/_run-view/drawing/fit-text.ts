import { findBoundary } from "@/lib/core/flow/find-boundary";

const most = 4000;

export interface TextContext {
  font: string;
  measureText(text: string): Pick<TextMetrics, "width">;
}

/** Makes texts fit, with a remembered answer for each: to measure one costs more than to draw it. */
export class TextFitter {
  readonly #fonts = new Map<string, { widths: Map<string, number>; short: Map<string, string> }>();

  /** `text` as it is when it is not wider than `room` px in the context's font, else its beginning with an ellipsis. */
  fit(context: TextContext, text: string, room: number): string {
    const { widths, short } = this.#of(context.font);
    const width = computeOnce(widths, text, () => context.measureText(text).width);
    if (width <= room) return text;
    return computeOnce(short, `${Math.floor(room)} ${text}`, () =>
      shorten(text, (candidate) => context.measureText(candidate).width <= room),
    );
  }

  #of(font: string) {
    return computeOnce(this.#fonts, font, () => ({ widths: new Map(), short: new Map() }));
  }
}

function computeOnce<V>(cache: Map<string, V>, key: string, compute: () => V): V {
  const before = cache.get(key);
  if (before !== undefined) return before;
  if (cache.size >= most) cache.clear();
  const value = compute();
  cache.set(key, value);
  return value;
}

export function shorten(text: string, fits: (candidate: string) => boolean): string {
  if (fits(text)) return text;
  const letters = [...text.slice(0, 400)];
  const toShort = (count: number): string => `${letters.slice(0, count).join("")}…`;
  const count = findBoundary(letters.length, (index) => !fits(toShort(index + 1)));
  return count > 0 || fits(toShort(0)) ? toShort(count) : "";
}
