import type { ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { DataChip } from "./data-chip";
import { type EmbeddedData, type MarkedText, markData, markPattern } from "./embedded-data";

/** HTML is displayed as text or dropped, never run; links leave the app in a new tab; embedded data is displayed as chips. */
export function Markdown({ text }: { text: string }) {
  const marked = markData(text);
  const hasData = marked.data.length > 0;
  return (
    <div className="markdown min-w-0 break-words">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={hasData ? [rehypeSanitize, chipMarks] : [rehypeSanitize]}
        components={hasData ? withChips(marked) : components}
      >
        {marked.text}
      </ReactMarkdown>
    </div>
  );
}

const nothing: string[] = [];
const maxPlainLength = 2000;

/** The words of the beginning, without formatting and without embedded data. */
export function PlainMarkdown({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} allowedElements={nothing} unwrapDisallowed>
      {markData(text).text.slice(0, maxPlainLength).replace(markPattern, "…")}
    </ReactMarkdown>
  );
}

/** Links open elsewhere; pictures are never fetched, for their address alone can carry data out: they show as links. */
const components: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ src, alt }) => (
    <OutsideLink href={typeof src === "string" ? src : undefined}>{`Image: ${alt || "untitled"}`}</OutsideLink>
  ),
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  table: ({ children }) => (
    <div className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
};

function withChips(marked: MarkedText): Components {
  const { data, original } = marked;
  const chip = (chipData: EmbeddedData) => <DataChip data={chipData} original={original} />;
  const ofAddress = (address: unknown): EmbeddedData | undefined =>
    typeof address === "string" ? data[Number(/^%EE%80%80(\d{1,9})%EE%80%81$/i.exec(address)?.[1] ?? -1)] : undefined;
  return {
    ...components,
    data: ({ value }) => {
      const chipData = data[Number(value)];
      return chipData ? chip(chipData) : value;
    },
    a: ({ href, children }) => {
      const chipData = ofAddress(href);
      return chipData ? (
        <>
          {children} {chip(chipData)}
        </>
      ) : (
        <OutsideLink href={href}>{children}</OutsideLink>
      );
    },
    img: ({ src, alt }) => {
      const chipData = ofAddress(src);
      return chipData ? (
        <>
          {alt} {chip(chipData)}
        </>
      ) : (
        <OutsideLink href={typeof src === "string" ? src : undefined}>{`Image: ${alt || "untitled"}`}</OutsideLink>
      );
    },
  };
}

function OutsideLink({ href, children }: { href: string | undefined; children?: ReactNode }) {
  if (!href || !/^https?:\/\//i.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

interface TreeNode {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, string>;
  children?: TreeNode[];
}

const chipMarks = () => replaceMarks;

function replaceMarks(node: TreeNode): void {
  if (!node.children) return;
  for (const child of node.children) replaceMarks(child);
  if (node.children.some(({ type, value }) => type === "text" && value?.includes("\uE000")))
    node.children = node.children.flatMap(splitText);
}

function splitText(node: TreeNode): TreeNode[] {
  if (node.type !== "text" || node.value === undefined) return [node];
  // Split by a pattern with one group: texts and numbers take turns.
  return node.value
    .split(markPattern)
    .map(
      (segment, index): TreeNode =>
        index % 2 === 0
          ? { type: "text", value: segment }
          : { type: "element", tagName: "data", properties: { value: segment }, children: [] },
    );
}
