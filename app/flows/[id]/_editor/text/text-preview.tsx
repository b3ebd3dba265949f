import { useEditorState } from "../session-context";

/** As many characters as the largest screen shows. */
const shownLength = 8000;

/** The beginning of the flow's file, until the editor of the text is there: it stands where that one will show it. */
export function TextPreview() {
  const text = useEditorState((state) => state.text.slice(0, shownLength));
  return (
    <pre className="h-full overflow-hidden bg-surface py-2 pr-3 pl-16.5 font-mono text-[12.5px] leading-5 [font-variant-ligatures:none] break-words whitespace-break-spaces">
      {text}
    </pre>
  );
}
