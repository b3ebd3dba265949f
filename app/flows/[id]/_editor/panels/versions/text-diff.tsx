import { yaml } from "@codemirror/lang-yaml";
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { useMedia } from "@/app/_ui/use-media";
import { editorTheme } from "../code/editor-theme";

interface TextDiffProps {
  before: string;
  after: string;
}

const shared = (label: string) => [
  ...editorTheme,
  yaml(),
  lineNumbers(),
  EditorView.lineWrapping,
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
];

const collapseUnchanged = { margin: 3, minSize: 6 };

const createSideView = (parent: Element, { before, after }: TextDiffProps) =>
  new MergeView({
    parent,
    a: { doc: before, extensions: shared("Older text") },
    b: { doc: after, extensions: shared("Newer text") },
    gutter: true,
    collapseUnchanged,
  });

const createUnifiedView = (parent: Element, { before, after }: TextDiffProps) =>
  new EditorView({
    parent,
    doc: after,
    extensions: [
      ...shared("Newer text, with the removed lines of the older one"),
      unifiedMergeView({ original: before, mergeControls: false, gutter: true, collapseUnchanged }),
    ],
  });

/** Two texts next to each other, in a narrow window in one; read only. What is the same in both is folded. */
export default function TextDiff({ before, after }: TextDiffProps) {
  const box = useRef<HTMLDivElement>(null);
  const isNarrow = useMedia("(max-width: 767px)");
  useEffect(() => {
    if (!box.current || isNarrow === null) return;
    const view = (isNarrow ? createUnifiedView : createSideView)(box.current, { before, after });
    return () => view.destroy();
  }, [before, after, isNarrow]);
  return <div ref={box} className="merge-view h-full overflow-auto rounded-md border border-line" />;
}
