import { lazy, Suspense, useState } from "react";
import { loadPart } from "../loading/load-part";

type Formatter = typeof import("./markdown").Markdown;

let loadedFormatter: Formatter | null = null;

/** Ahead of the first text, so that it is not shown unformatted before. */
export async function loadMarkdown(): Promise<Formatter> {
  const { Markdown } = await loadPart(() => import("./markdown"));
  loadedFormatter = Markdown;
  return Markdown;
}

const LateMarkdown = lazy(async () => ({ default: await loadMarkdown() }));

/** Shows the plain text until the formatter has loaded. */
export function LazyMarkdown({ text }: { text: string }) {
  // React keeps a placeholder for a third of a second, even for what is there at once.
  const [Markdown] = useState(() => loadedFormatter ?? LateMarkdown);
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>}>
      <Markdown text={text} />
    </Suspense>
  );
}
