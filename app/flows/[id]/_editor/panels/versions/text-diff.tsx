import { yaml } from "@codemirror/lang-yaml";
import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { editorTheme } from "../code/editor-theme";

interface TextDiffProps {
  before: string;
  after: string;
}

/** Two texts next to each other, read only; what is the same in both is folded. */
export default function TextDiff({ before, after }: TextDiffProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return;
    const side = (doc: string, label: string) => ({
      doc,
      extensions: [
        ...editorTheme,
        yaml(),
        lineNumbers(),
        EditorView.lineWrapping,
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      ],
    });
    const view = new MergeView({
      parent: box.current,
      a: side(before, "Older text"),
      b: side(after, "Newer text"),
      gutter: true,
      collapseUnchanged: { margin: 3, minSize: 6 },
    });
    return () => view.destroy();
  }, [before, after]);
  return <div ref={box} className="merge-view h-full overflow-auto rounded-md border border-line" />;
}
