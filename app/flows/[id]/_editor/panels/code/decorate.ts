import { type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** Decorations that are computed again when the visible text changes, or `isStale`. */
export const decorateView = (
  decorate: (view: EditorView) => DecorationSet,
  isStale?: (update: ViewUpdate) => boolean,
) =>
  ViewPlugin.define(
    (view) => ({
      decorations: decorate(view),
      update(update: ViewUpdate): void {
        if (update.docChanged || update.viewportChanged || isStale?.(update)) this.decorations = decorate(update.view);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  );
