import { useEffect, useRef } from "react";
import { colorOfName } from "@/app/_kinds/node-color";
import { keyNames } from "@/lib/core/flow/node-key";
import { declaredNames } from "@/lib/core/kinds/members";
import { findName, nameWrittenAt } from "@/lib/core/source/query/find-names";
import { describeModel } from "../../state/models/use-models";
import type { Session } from "../../state/session";
import { useSession } from "../../state/session-context";
import { describeName } from "../code/describe-name";
import type { NameEvents } from "../code/name-tools";
import { type CodeEditor, type CodeEditorEvents, createCodeEditor } from "./code-editor";

export default function TextPane() {
  const session = useSession();
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!box.current) return;
    const code = createCodeEditor(box.current, session.editor.store.getState().text, toEvents(session));
    const stop = syncWithStore(code, session);
    return () => {
      stop();
      code.destroy();
    };
  }, [session]);

  return <div ref={box} className="h-full min-h-0 overflow-hidden" />;
}

function toEvents({ editor, seed }: Session): CodeEditorEvents {
  return {
    onType: editor.typeText,
    onUndo: editor.undo,
    onRedo: editor.redo,
    onFix: editor.applyFix,
    onCaret(offset) {
      const { document, text, arrangement, selection } = editor.store.getState();
      if (document.text !== text) return;
      const name = document.nameAt(offset) ?? document.scopeAt(lineContentStart(text, offset));
      if (name === null || selection.some((key) => keyNames(key).at(-1) === name)) return;
      const node = arrangement.nodes.find((candidate) => candidate.name === name);
      if (node) editor.select([node.key]);
    },
    names: toNameEvents(editor),
    describeModel: (model) => describeModel(model, seed),
    vocabulary() {
      const { flow } = editor.store.getState();
      return {
        names: declaredNames(flow),
        vars: [...flow.vars.keys()],
        models: seed.providers.flatMap((provider) => provider.models.map((model) => `${provider.id}:${model}`)),
        tools: seed.tools,
      };
    },
    colorOf: (name) => colorOfName(editor.store.getState().flow, name),
  };
}

/** Null while the user types in a large text that has not been read yet. */
function toNameEvents({ store, dispatch }: Session["editor"]): NameEvents {
  const read = () => {
    const { document, text } = store.getState();
    return document.text === text ? document : null;
  };
  return {
    nameAt(offset) {
      const document = read();
      return document && nameWrittenAt(document, offset);
    },
    placesOf(name) {
      const document = read();
      return document ? findName(document, name) : { declaration: null, references: [] };
    },
    describe: (name) => describeName(store.getState().flow, name),
    rename: (oldName, newName) => dispatch([{ type: "rename", from: oldName, to: newName }])?.message ?? null,
  };
}

function lineContentStart(text: string, offset: number): number {
  let start = text.lastIndexOf("\n", offset - 1) + 1;
  while (text[start] === " ") start++;
  return start;
}

function syncWithStore(code: CodeEditor, { editor, text }: Session): () => void {
  const state = editor.store.getState();
  code.showProblems(state.problems);
  const stopEditor = editor.store.subscribe((now, before) => {
    if (now.text !== before.text) code.show(now.text, now.change);
    if (now.document !== before.document && now.document.text === now.text) code.showProblems(now.problems);
    if (now.selection !== before.selection) {
      const name = now.selection.length === 1 ? keyNames(now.selection[0] ?? "").at(-1) : undefined;
      code.reveal(name === undefined || now.document.text !== now.text ? null : now.document.rangeOf(name));
    }
  });
  const detach = text.attach(code.goTo);
  return () => {
    stopEditor();
    detach();
  };
}
