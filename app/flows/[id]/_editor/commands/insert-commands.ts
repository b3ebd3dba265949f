import { listInsertEntries } from "@/app/_kinds/registry";
import type { Session } from "../state/session";
import { activeOf, hasSelection, inGroup } from "./editor-command";

export const insertCommands = inGroup("Insert", [
  {
    id: "add-agent",
    title: "Add agent",
    chords: { canvas: ["A"], outline: ["Ctrl ↓"] },
    words: "new insert after step next",
    run: ({ actions }, target) => (target == null ? actions.addAgent() : actions.addAfter(target)),
  },
  {
    id: "add-lane",
    title: "Add agent beside",
    chords: { canvas: ["B"], outline: ["Ctrl →"] },
    words: "parallel lane",
    run: (session, target = activeOf(session) ?? null) =>
      target === null ? session.actions.addAgent() : session.actions.addLane(target),
    when: hasSelection,
  },
  ...listInsertEntries()
    .filter(({ id }) => id !== "agent")
    .map(({ id, label, words, toFragment }) => ({
      id: `insert-${id}`,
      title: `Insert ${label.toLowerCase()}`,
      words: `add new ${words}`,
      run: ({ actions }: Session) => void actions.insert(toFragment(actions.usualModel())),
    })),
  {
    id: "add-note",
    title: "Add note",
    chords: { canvas: ["T"] },
    words: "new insert sticky comment text",
    run: ({ actions }) => actions.addNote(),
  },
  {
    id: "insert-template",
    title: "Insert template…",
    words: "add example gallery",
    run: ({ view }) => view.setState({ surface: { type: "templates", target: { type: "selection" } } }),
  },
  {
    id: "insert",
    title: "Insert here…",
    chords: { canvas: ["+", "Insert"] },
    words: "add menu link",
    run: ({ view }) => view.setState({ surface: { type: "insert", target: { type: "selection" } } }),
  },
]);
