import { lazy, Suspense } from "react";
import { loadPart } from "../loading/load-part";

/** Ahead of the first text, so that it is not shown unformatted before. */
export const loadMarkdown = () => loadPart(() => import("./markdown"));

const Markdown = lazy(() => loadMarkdown().then((part) => ({ default: part.Markdown })));

/** Shows the plain text until the formatter has loaded. */
export const LazyMarkdown = ({ text }: { text: string }) => (
  <Suspense fallback={<p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>}>
    <Markdown text={text} />
  </Suspense>
);
