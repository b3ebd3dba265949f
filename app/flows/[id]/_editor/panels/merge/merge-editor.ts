import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { MergeView } from "@codemirror/merge";
import { EditorState, StateField } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import type { TextRange } from "@/lib/core/flow/text-range";
import type { Merge } from "../../state/save/merge-versions";
import { editorTheme } from "../code/editor-theme";

export type MergeEditor = ReturnType<typeof createMergeEditor>;

interface MergeEditorOptions {
  theirs: string;
  merge: Merge;
  onChange(places: readonly string[]): void;
}

/** The ranges of conflicts are mapped through every change. */
export function createMergeEditor(parent: Element, { theirs, merge, onChange }: MergeEditorOptions) {
  const places = StateField.define<readonly TextRange[]>({
    create: () => findPlaces(merge),
    update: (ranges, { changes, docChanged }) =>
      docChanged
        ? ranges.map(({ from: start, to: end }) => ({ from: changes.mapPos(start, -1), to: changes.mapPos(end, 1) }))
        : ranges,
  });
  const shared = [...editorTheme, yaml(), lineNumbers(), EditorView.lineWrapping];
  const view = new MergeView({
    parent,
    a: {
      doc: theirs,
      extensions: [
        shared,
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ "aria-label": "Theirs", tabindex: "0" }),
      ],
    },
    b: {
      doc: merge.text,
      extensions: [
        shared,
        places,
        history(),
        keymap.of([...historyKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({ "aria-label": "Result", tabindex: "0" }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) onChange(state.field(places).map(({ from: start, to: end }) => state.sliceDoc(start, end)));
        }),
      ],
    },
    gutter: true,
    collapseUnchanged: { margin: 3, minSize: 6 },
  });
  return {
    /** Replaces the text of a conflict in the result. */
    put(conflict: number, text: string): void {
      const range = view.b.state.field(places)[conflict];
      if (!range) return;
      view.b.dispatch({
        changes: { ...range, insert: text },
        effects: EditorView.scrollIntoView(range.from, { y: "center" }),
      });
    },
    text: () => view.b.state.doc.toString(),
    destroy: () => view.destroy(),
  };
}

function findPlaces({ chunks }: Merge): TextRange[] {
  const ranges: TextRange[] = [];
  let offset = 0;
  for (const chunk of chunks) {
    const { length } = chunk.type === "same" ? chunk.text : chunk.mine;
    if (chunk.type === "conflict") ranges.push({ from: offset, to: offset + length });
    offset += length;
  }
  return ranges;
}
