import { type Extension, type Range, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, WidgetType } from "@codemirror/view";
import type { LiveState } from "../../state/live/live";
import type { Session } from "../../state/session";
import { externalChange } from "../code/external-change";
import { colorOfPeer, shortNameOf } from "./describe-peer";

interface RemoteCaret {
  anchor: number;
  head: number;
  name: string;
  color: string;
}

const setCarets = StateEffect.define<readonly RemoteCaret[]>();

class CaretWidget extends WidgetType {
  constructor(
    private readonly name: string,
    private readonly color: string,
  ) {
    super();
  }

  override eq(other: CaretWidget): boolean {
    return other.name === this.name && other.color === this.color;
  }

  toDOM(): HTMLElement {
    const caret = document.createElement("span");
    caret.className = "cm-remote-caret";
    caret.style.setProperty("--caret", this.color);
    caret.dataset.name = this.name;
    caret.ariaHidden = "true";
    return caret;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const caretField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, state }) {
    const latest = effects.findLast((effect) => effect.is(setCarets));
    if (!latest) return marks.map(changes);
    return Decoration.set(
      latest.value.flatMap((caret) => toMarks(caret, state.doc.length)),
      true,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

function toMarks({ anchor, head, name, color }: RemoteCaret, length: number): Range<Decoration>[] {
  const [from, to] = [Math.min(anchor, head, length), Math.min(Math.max(anchor, head), length)];
  const widget = Decoration.widget({ widget: new CaretWidget(name, color), side: 1 }).range(Math.min(head, length));
  if (from === to) return [widget];
  const style = `background-color: color-mix(in srgb, ${color} 22%, transparent)`;
  return [Decoration.mark({ attributes: { style } }).range(from, to), widget];
}

const theme = EditorView.baseTheme({
  ".cm-remote-caret": {
    position: "relative",
    borderLeft: "2px solid var(--caret)",
    marginLeft: "-1px",
    marginRight: "-1px",
  },
  ".cm-remote-caret::after": {
    content: "attr(data-name)",
    position: "absolute",
    bottom: "100%",
    left: "-2px",
    padding: "0 4px",
    borderRadius: "3px 3px 3px 0",
    backgroundColor: "var(--caret)",
    color: "var(--on-agent)",
    fontFamily: "var(--font-sans)",
    fontSize: "10px",
    lineHeight: "14px",
    whiteSpace: "nowrap",
    pointerEvents: "none",
  },
});

const toCarets = ({ peers, self }: LiveState): RemoteCaret[] =>
  peers.flatMap((peer) => {
    const caret = peer.presence?.caret;
    return caret ? [{ ...caret, name: shortNameOf(peer, self), color: colorOfPeer(peer) }] : [];
  });

/** The carets and selections of others in the text, and this one for them. */
export function remoteCarets({ live }: Session): Extension {
  const tellCaret = (view: EditorView): void => {
    const { anchor, head } = view.state.selection.main;
    live.tell({ caret: view.hasFocus ? { anchor, head } : null });
  };
  const followOthers = ViewPlugin.define((view) => {
    let shown = "";
    const show = (state: LiveState): void => {
      const carets = toCarets(state);
      const key = JSON.stringify(carets);
      if (key === shown) return;
      shown = key;
      view.dispatch({ effects: setCarets.of(carets), annotations: externalChange.of(true) });
    };
    // An update of the view must not begin inside of another one.
    queueMicrotask(() => show(live.store.getState()));
    return { destroy: live.store.subscribe(show) };
  });
  return [
    caretField,
    theme,
    followOthers,
    EditorView.updateListener.of(({ view, docChanged, selectionSet, focusChanged }) => {
      if (docChanged || selectionSet || focusChanged) tellCaret(view);
    }),
  ];
}
