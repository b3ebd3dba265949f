import { useEditorState } from "../../state/session-context";

const shownLength = 8000;

/** Aligned with the code editor: line numbers as wide as the highest one, then the gutters. */
const startOfLines = (text: string): string => `calc(${String(text.split("\n").length).length}ch + 51px)`;

export function TextPreview() {
  const text = useEditorState((state) => state.text);
  return (
    <pre
      style={{ paddingLeft: startOfLines(text) }}
      className="h-full overflow-hidden bg-surface py-2 pr-3 font-mono text-[12.5px] leading-5 [font-variant-ligatures:none] break-words whitespace-break-spaces"
    >
      {text.slice(0, shownLength)}
    </pre>
  );
}
