import { lazy, Suspense, useState } from "react";
import { loadPart } from "../loading/load-part";

type Formatters = typeof import("./markdown");

let loadedFormatters: Formatters | null = null;

/** Ahead of the first text, so that it is not shown unformatted before. */
export async function loadMarkdown(): Promise<Formatters> {
  loadedFormatters = await loadPart(() => import("./markdown"));
  return loadedFormatters;
}

const LateMarkdown = lazy(async () => ({ default: (await loadMarkdown()).Markdown }));
const LatePlainMarkdown = lazy(async () => ({ default: (await loadMarkdown()).PlainMarkdown }));

/** Shows the plain text until the formatter has loaded. */
export function LazyMarkdown({ text }: { text: string }) {
  // React keeps a placeholder for a third of a second, even for what is there at once.
  const [Markdown] = useState(() => loadedFormatters?.Markdown ?? LateMarkdown);
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>}>
      <Markdown text={text} />
    </Suspense>
  );
}

/** The words of a Markdown text in a line of text; as they are written until the formatter has loaded. */
export function LazyPlainMarkdown({ text }: { text: string }) {
  const [PlainMarkdown] = useState(() => loadedFormatters?.PlainMarkdown ?? LatePlainMarkdown);
  return (
    <Suspense fallback={text}>
      <PlainMarkdown text={text} />
    </Suspense>
  );
}
