import { markData } from "../../_ui/text/embedded-data";
import { MarkedPieces } from "../../_ui/text/marked-text";

/** A text as it is, with chips in the place of data. */
export function PlainText({ text }: { text: string }) {
  const marked = markData(text);
  return <MarkedPieces text={marked.text} of={marked} />;
}

/** Longest text whose parts are coloured, in UTF-16 units: each part is an element. */
const longestColored = 20_000;

/** Keys, strings, numbers and words of JSON. */
const tokens = /"(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

/** JSON with its parts told apart by colour, as long as it is short; data in it shows as chips. */
export function JsonText({ text }: { text: string }) {
  const marked = markData(text);
  if (marked.text.length > longestColored) return <MarkedPieces text={marked.text} of={marked} />;
  const parts = splitTokens(marked.text);
  return (
    <>
      {Array.from(parts.entries(), ([place, { text: part, color }]) =>
        color === null ? (
          part
        ) : (
          <span key={place} className={color}>
            <MarkedPieces text={part} of={marked} />
          </span>
        ),
      )}
    </>
  );
}

function splitTokens(text: string): { text: string; color: string | null }[] {
  const parts: { text: string; color: string | null }[] = [];
  let at = 0;
  for (const { index, 0: token } of text.matchAll(tokens)) {
    if (index > at) parts.push({ text: text.slice(at, index), color: null });
    parts.push({ text: token, color: colorOf(token) });
    at = index + token.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), color: null });
  return parts;
}

function colorOf(token: string): string {
  if (token.endsWith(":")) return "text-accent-text";
  return token.startsWith('"') ? "text-success" : "text-warning";
}
