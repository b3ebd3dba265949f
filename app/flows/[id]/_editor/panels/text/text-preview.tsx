import { useEditorState } from "../../state/session-context";

/** As many characters as the largest screen shows. */
const shownLength = 8000;

/** Where lines begin behind their numbers, which are as wide as the highest one, and behind the marks. */
const startOfLines = (text: string): string => `calc(${String(text.split("\n").length).length}ch + 51px)`;

/** The beginning of the flow's file, until the editor of the text is there: it stands where that one will show it. */
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
