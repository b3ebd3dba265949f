import { Children, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { toAnchor, toDocAddress } from "./doc-pages";

const toText = (children: ReactNode): string =>
  Children.toArray(children)
    .map((child) => (typeof child === "string" ? child : ""))
    .join("");

const components: Components = {
  a: ({ href = "", children }) => {
    const address = toDocAddress(href);
    return address === null ? children : <a href={address}>{children}</a>;
  },
  h2: ({ children }) => (
    <h2 id={toAnchor(toText(children))} className="scroll-mt-4">
      {children}
    </h2>
  ),
  h3: ({ children }) => (
    <h3 id={toAnchor(toText(children))} className="scroll-mt-4">
      {children}
    </h3>
  ),
  h1: ({ children }) => <h1 className="font-semibold text-xl tracking-tight">{children}</h1>,
  table: ({ children }) => (
    <section aria-label="Table" tabIndex={0} className="overflow-x-auto">
      <table>{children}</table>
    </section>
  ),
};

/** A page of the docs, from its Markdown. */
export const DocText = ({ text }: { text: string }) => (
  <div className="markdown min-w-0 break-words">
    <ReactMarkdown remarkPlugins={[remarkGfm]} components={components}>
      {text}
    </ReactMarkdown>
  </div>
);
