import { markData } from "../../_ui/text/embedded-data";
import { MarkedSegments } from "../../_ui/text/marked-text";

export function PlainText({ text }: { text: string }) {
  const marked = markData(text);
  return <MarkedSegments text={marked.text} source={marked} />;
}

/** Longest text whose parts are coloured, in UTF-16 units: each part is an element. */
const longestColored = 20_000;

const tokens = /"(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

export function JsonText({ text }: { text: string }) {
  const marked = markData(text);
  if (marked.text.length > longestColored) return <MarkedSegments text={marked.text} source={marked} />;
  const segments = splitTokens(marked.text);
  return (
    <>
      {Array.from(segments.entries(), ([index, { text: segment, color }]) =>
        color === null ? (
          segment
        ) : (
          <span key={index} className={color}>
            <MarkedSegments text={segment} source={marked} />
          </span>
        ),
      )}
    </>
  );
}

function splitTokens(text: string): { text: string; color: string | null }[] {
  const segments: { text: string; color: string | null }[] = [];
  let end = 0;
  for (const { index, 0: token } of text.matchAll(tokens)) {
    if (index > end) segments.push({ text: text.slice(end, index), color: null });
    segments.push({ text: token, color: colorOf(token) });
    end = index + token.length;
  }
  if (end < text.length) segments.push({ text: text.slice(end), color: null });
  return segments;
}

function colorOf(token: string): string {
  if (token.endsWith(":")) return "text-accent-text";
  return token.startsWith('"') ? "text-success" : "text-warning";
}
