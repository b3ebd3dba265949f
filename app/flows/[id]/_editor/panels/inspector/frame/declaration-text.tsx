import { FileText } from "lucide-react";
import { Button } from "@/app/_ui/controls/button";
import { lineStartAt, type TextRange } from "@/lib/core/flow/text-range";
import { toDocument } from "../../../state/editing/editing";
import { useEditorState, useSession } from "../../../state/session-context";

/** The lines that declare a node, as the file has them. */
export function DeclarationText({ name }: { name: string }) {
  const { text: textPort, view } = useSession();
  const range = useEditorState(({ document }) => toDocument(document).rangeOf(name));
  const source = useEditorState(({ document }) => document.text);
  if (!range) return <p className="text-text-muted text-xs">The file has no lines for this node.</p>;
  const { lines, firstNumber } = readLines(source, range);
  const edit = (): void => {
    view.setState({ textOpen: true, narrowPane: "text" });
    textPort.goTo(range);
  };
  return (
    <div className="grid gap-3">
      <ol
        aria-label={`Text of ${name}`}
        className="grid grid-cols-[auto_1fr] gap-x-3 rounded-md bg-surface-sunken p-2 font-mono text-xs leading-5"
      >
        {Object.entries(lines).map(([index, line]) => (
          <li key={index} className="contents">
            <span aria-hidden className="select-none text-right text-text-faint tabular-nums">
              {firstNumber + Number(index)}
            </span>
            <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">{line || " "}</span>
          </li>
        ))}
      </ol>
      <Button size="small" onClick={edit} className="justify-self-start">
        <FileText size={14} aria-hidden />
        Edit in the text
      </Button>
    </div>
  );
}

/** Whole lines, without the indentation that they share. */
function readLines(text: string, { from: start, to: end }: TextRange): { lines: string[]; firstNumber: number } {
  const lineStart = lineStartAt(text, start);
  const lineEnd = text.indexOf("\n", end);
  const lines = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd).split(/\r?\n/);
  const indents = lines.flatMap((line) => (line.trim() === "" ? [] : (/^ */.exec(line)?.[0].length ?? 0)));
  const shared = Math.min(...indents);
  return {
    lines: lines.map((line) => line.slice(shared)),
    firstNumber: text.slice(0, lineStart).split("\n").length,
  };
}
