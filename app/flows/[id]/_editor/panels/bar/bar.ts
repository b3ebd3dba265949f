import { createStore } from "zustand/vanilla";
import { keyNames } from "@/lib/core/flow/node-key";
import type { Problem } from "@/lib/core/flow/problem";
import type { EditorState } from "../../state/editor/editor";
import type { Session } from "../../state/session";
import {
  type BarPlace,
  emptyHint,
  findLineProblems,
  flowLine,
  hasFlowText,
  hasLine,
  selectedPlace,
  type WrittenLine,
  writeFlowLine,
} from "./bar-scope";

/** What the bar shows. */
export interface BarLook {
  isShown: boolean;
  owner: string | null;
  /** What the flow says. */
  text: string;
  /** What stands in the bar: `text`, or what somebody is writing. */
  line: string;
  /** Stands in the bar while the line is empty. */
  hint: string;
  problems: readonly Problem[];
  /** Why the line could not be applied; empty when nobody tried. */
  refused: readonly string[];
  /** Names in the line that are selected, or hold what is. */
  marked: readonly string[];
}

/** The flow bar apart from how it is drawn. What is written becomes one edit on `apply`; until then it is no part of the flow. */
export interface Bar {
  /** The same object for as long as nothing changes. */
  read(): BarLook;
  subscribe(listener: () => void): () => void;
  type(line: string): void;
  /** Names of the line become agents when it is applied. */
  addNewAgent(name: string): void;
  apply(): void;
  /** Back to what the flow says. Answers whether there was something to take back. */
  takeBack(): boolean;
  /** Selects the card of a name in the line. */
  point(name: string): void;
  /** While it is held the bar shows the same part of the flow, whatever is selected. */
  hold(): void;
  letGo(): void;
}

interface Draft extends WrittenLine, BarPlace {
  /** What the flow said when it was written: a change of that drops the draft. */
  of: string;
  refused: readonly string[];
}

interface BarState {
  held: BarPlace | null;
  draft: Draft | null;
}

export function createBar({ editor, commands }: Pick<Session, "editor" | "commands">): Bar {
  const store = createStore<BarState>(() => ({ held: null, draft: null }));
  const readLook = createReader();
  const read = () => readLook(editor.store.getState(), store.getState());
  const write = (line: string, newAgents: readonly string[]): void => {
    const { place, text } = read();
    const draft = line === text ? null : { ...place, of: text, line, newAgents, refused: [] };
    // Who writes holds: a line that comes to what the flow says is still about the same part of it.
    store.setState(({ held }) => ({ draft, held: held ?? place }));
  };

  return {
    read: () => read().look,
    subscribe(listener) {
      let last = read().look;
      const look = (): void => {
        const { look: next } = read();
        if (next === last) return;
        last = next;
        listener();
      };
      const stops = [editor.store.subscribe(look), store.subscribe(look)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    type: (line) => write(line, read().draft?.newAgents ?? []),
    addNewAgent: (name) => write(read().look.line, [...(read().draft?.newAgents ?? []), name]),
    apply() {
      const { draft } = read();
      if (!draft) return;
      const written = writeFlowLine(editor.store.getState().flow, draft, commands.usualModel());
      const problem = written.ok ? editor.dispatch(written.edits) : null;
      const refused = written.ok ? (problem ? [problem.message] : []) : written.messages;
      store.setState({ draft: refused.length > 0 ? { ...draft, refused } : null });
      if (refused.length === 0 && draft.owner === null) editor.select([]);
    },
    takeBack() {
      if (!read().draft) return false;
      store.setState({ draft: null });
      return true;
    },
    point(name) {
      const { key } = read().place;
      const { arrangement, selection } = editor.store.getState();
      const named = arrangement.nodes.filter((node) => node.name === name);
      const node = named.find(({ parent = "" }) => parent === key) ?? named[0];
      if (node && !(selection.length === 1 && selection[0] === node.key)) editor.select([node.key]);
    },
    hold() {
      if (!store.getState().held) store.setState({ held: read().place });
    },
    letGo: () => store.setState({ held: null }),
  };
}

interface Reading {
  place: BarPlace;
  draft: Draft | null;
  text: string;
  look: BarLook;
}

/** Reads what the bar shows, and works out again only what depends on what changed: a line may hold thousands of names. */
function createReader(): (state: EditorState, bar: BarState) => Reading {
  const findText = keepLast((flow: EditorState["flow"], document: EditorState["document"], owner: string | null) =>
    flowLine({ flow, document }, owner),
  );
  const findProblems = keepLast(
    (flow: EditorState["flow"], owner: string | null, line: string, newAgents: readonly string[]) =>
      findLineProblems(flow, { owner, line, newAgents }),
  );
  const findHint = keepLast(emptyHint);
  const findMarked = keepLast((selection: EditorState["selection"], key: string) => namesToMark(selection, key));
  const toReading = keepLast(
    (
      flow: EditorState["flow"],
      document: EditorState["document"],
      selection: EditorState["selection"],
      bar: BarState,
    ) => {
      const place = placeOf({ flow, selection }, bar);
      const text = findText(flow, document, place.owner);
      const draft = bar.draft?.of === text && bar.draft.owner === place.owner ? bar.draft : null;
      const line = draft?.line ?? text;
      const look: BarLook = {
        isShown: hasLine(flow, place.owner),
        owner: place.owner,
        text,
        line,
        hint: findHint(flow, place.owner),
        // While nobody writes there, the list of problems says all of it.
        problems: bar.held || draft ? findProblems(flow, place.owner, line, draft?.newAgents ?? none) : none,
        refused: draft?.refused ?? none,
        marked: findMarked(selection, place.key),
      };
      return { place, draft, text, look };
    },
  );
  return ({ flow, document, selection }, bar) => toReading(flow, document, selection, bar);
}

const none: readonly never[] = [];

/** What is held, else what a line that is not applied yet belongs to, else what is selected; a part without a flow lets go. */
function placeOf(state: Pick<EditorState, "flow" | "selection">, { held, draft }: BarState): BarPlace {
  const place = held ?? draft;
  return place && (place.owner === null || hasFlowText(state.flow, place.owner)) ? place : selectedPlace(state);
}

/** For each selected node inside the place the name that stands in the place's line. */
function namesToMark(selection: readonly string[], place: string): string[] {
  const depth = keyNames(place).length;
  const inside = selection.filter((key) => place === "" || key.startsWith(`${place}/`));
  return inside.flatMap((key) => keyNames(key).slice(depth, depth + 1));
}

/** The same function; asked again with the same arguments it answers the same object. */
function keepLast<Args extends readonly unknown[], T>(compute: (...args: Args) => T): (...args: Args) => T {
  let last: { args: Args; value: T } | null = null;
  return (...args) => {
    if (!last || args.some((arg, index) => arg !== last?.args[index])) last = { args, value: compute(...args) };
    return last.value;
  };
}
