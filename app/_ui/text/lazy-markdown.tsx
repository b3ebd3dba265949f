import { lazy, Suspense } from "react";
import { loadPart } from "../loading/load-part";

const Markdown = lazy(() => loadPart(() => import("./markdown")).then((part) => ({ default: part.Markdown })));

/** Shows the plain text until the formatter has loaded. */
export const LazyMarkdown = ({ text }: { text: string }) => (
  <Suspense fallback={<p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>}>
    <Markdown text={text} />
  </Suspense>
);
