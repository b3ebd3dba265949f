import type { Edit } from "@/lib/core/flow/edit";
import type { Notes } from "@/lib/core/flow/note";
import { getEditing, toDocument } from "../../editing/editing";
import { beginAnew } from "./begin-anew";
import { type SaveFault, sleep } from "./browser";
import type { Trial, Writer } from "./trial";
import type { Visit } from "./visit";
import { listWords, without } from "./words";

/** A writer with an open page. */
export interface Actor {
  writer: Writer;
  visit: Visit;
}

/** `weight`: how often it happens, beside the others. */
export interface Action {
  weight: number;
  act(trial: Trial, actor: Actor): void | Promise<void>;
}

/** What the browser has not written yet when its page is killed, in milliseconds. */
const unwrittenMs = 350;

const readNotes = ({ session }: Visit): Notes => session.editor.store.getState().layout.notes ?? {};

/** Does something as the user of a page, and notes which words it changed. */
function edit({ words }: Trial, { writer, visit }: Actor, { what, act }: { what: string; act: () => void }): void {
  const [before, notes] = [listWords(visit.getText()), readNotes(visit)];
  visit.run(act);
  const after = listWords(visit.getText());
  words.note({ writer: writer.name, before, after });
  // A note comes back where someone else writes in it meanwhile.
  for (const [id, { text }] of Object.entries(notes)) if (!readNotes(visit)[id]) words.forget(listWords(text));
  visit.tab.log(`${what} +${without(after, before)} -${without(before, after)}`);
}

/** Changes the words of the writer's field. The first one stays. */
function editField(
  trial: Trial,
  actor: Actor,
  { what, change }: { what: string; change: (words: string[]) => void },
): void {
  const { field: name } = actor.writer;
  const { editor } = actor.visit.session;
  const toEdit = (value: string) => ({ type: "set-agent-field", name, field: "instructions", value }) as const;
  const act = (): void => {
    const field = getEditing().readField(toDocument(editor.store.getState().document), toEdit(""));
    const words = field.split(" ");
    change(words);
    const problem = words.join(" ") === field ? null : editor.dispatch([toEdit(words.join(" "))]);
    if (problem) trial.log.fail(`an edit is refused: ${problem.message}`);
  };
  edit(trial, actor, { what, act });
}

const typing: Action[] = [
  {
    weight: 18,
    act(trial, actor) {
      const { below, has } = trial.choices;
      const change = (words: string[]): void => {
        const index = has(0.7) ? words.length : 1 + below(words.length);
        words.splice(index, 0, trial.words.next());
      };
      editField(trial, actor, { what: "types", change });
    },
  },
  {
    weight: 2,
    act(trial, actor) {
      const change = (words: string[]): void => {
        if (words.length > 1) words.splice(1 + trial.choices.below(words.length - 1), 1);
      };
      editField(trial, actor, { what: "deletes", change });
    },
  },
  {
    weight: 1,
    act: (trial, actor) => edit(trial, actor, { what: "undoes", act: () => actor.visit.session.editor.undo() }),
  },
  {
    weight: 0.5,
    act: (trial, actor) => edit(trial, actor, { what: "redoes", act: () => actor.visit.session.editor.redo() }),
  },
  { weight: 2, act: (_, { visit }) => void visit.run(() => visit.session.autosave.flush()) },
];

/** Changes a note that the writer sees, if there is one. */
function editNote(
  trial: Trial,
  actor: Actor,
  { what, toEdit }: { what: string; toEdit: (id: string, words: readonly string[]) => Edit },
): void {
  const notes = Object.entries(readNotes(actor.visit));
  const [id, note] = notes[trial.choices.below(notes.length)] ?? [];
  if (id === undefined || !note) return;
  const act = (): void => {
    const problem = actor.visit.session.editor.dispatch([toEdit(id, note.text.split(" "))]);
    if (problem) trial.log.fail(`an edit is refused: ${problem.message}`);
  };
  edit(trial, actor, { what: `${what} ${id}`, act });
}

const toNoteText = (id: string, words: readonly string[]): Edit => ({
  type: "change-note",
  id,
  change: { text: words.join(" ") },
});

const noteActions: Action[] = [
  {
    weight: 1.5,
    act(trial, actor) {
      const { session } = actor.visit;
      const text = `Note ${trial.words.next()}`;
      const act = (): void => {
        const known = readNotes(actor.visit);
        session.actions.addNote({ x: trial.choices.below(900), y: 0 });
        const id = Object.keys(readNotes(actor.visit)).find((key) => !Object.hasOwn(known, key));
        if (id !== undefined) session.editor.dispatch([toNoteText(id, [text])]);
      };
      edit(trial, actor, { what: "adds a note", act });
    },
  },
  {
    weight: 8,
    act(trial, actor) {
      const { below, has } = trial.choices;
      const toEdit = (id: string, words: readonly string[]): Edit =>
        toNoteText(id, words.toSpliced(has(0.5) ? words.length : 1 + below(words.length), 0, trial.words.next()));
      editNote(trial, actor, { what: "writes in", toEdit });
    },
  },
  {
    weight: 1,
    act(trial, actor) {
      const toEdit = (id: string, words: readonly string[]): Edit =>
        toNoteText(id, words.length > 1 ? words.toSpliced(1 + trial.choices.below(words.length - 1), 1) : words);
      editNote(trial, actor, { what: "deletes a word of", toEdit });
    },
  },
  {
    weight: 0.7,
    act: (trial, actor) => editNote(trial, actor, { what: "deletes", toEdit: (id) => ({ type: "remove-note", id }) }),
  },
];

const pauses: Action[] = [
  { weight: 4, act: ({ choices }) => sleep(choices.below(300)) },
  { weight: 2, act: ({ choices }) => sleep(400 + choices.below(900)) },
];

/** Sets something of the network, and says so where it changes. */
function setNetwork({ tab, setOnline, setLive }: Visit, { isOnline, reachesLive }: Partial<Visit["tab"]>): void {
  if (isOnline !== undefined && isOnline !== tab.isOnline) {
    tab.log(isOnline ? "is online" : "is offline");
    setOnline(isOnline);
  }
  if (reachesLive !== undefined) {
    if (reachesLive !== tab.reachesLive) tab.log(reachesLive ? "reaches live editing" : "reaches no live editing");
    setLive(reachesLive);
  }
}

const toSaveFault = ({ choices: { below, pick } }: Trial): SaveFault =>
  pick<SaveFault>([
    { answerAfterMs: 100_000, giveUpAfterMs: 10 + below(200) },
    { storeAfterMs: below(500), giveUpAfterMs: 5 + below(100) },
    { storeAfterMs: below(300), giveUpAfterMs: below(300) },
    { isLost: true, giveUpAfterMs: below(200) },
    { answerAfterMs: below(600) },
    { storeAfterMs: below(500) },
  ]);

const faults: Action[] = [
  { weight: 1, act: (_, { visit }) => setNetwork(visit, { isOnline: false }) },
  { weight: 2, act: (_, { visit }) => setNetwork(visit, { isOnline: true }) },
  { weight: 0.7, act: (_, { visit }) => setNetwork(visit, { reachesLive: false }) },
  { weight: 1, act: (_, { visit }) => setNetwork(visit, { reachesLive: true }) },
  {
    weight: 1.5,
    act({ choices }, { visit: { tab } }) {
      tab.dieAfter = choices.below(12);
      tab.log(`loses its connection after ${tab.dieAfter} messages`);
    },
  },
  {
    weight: 0.7,
    act({ choices }, { visit: { tab } }) {
      tab.losesSent = true;
      tab.log("loses what it sends");
      setTimeout(() => {
        for (const socket of tab.sockets) socket.terminate();
        tab.losesSent = false;
      }, choices.below(800));
    },
  },
  { weight: 3, act: (trial, { visit: { tab } }) => void tab.saveFaults.push(toSaveFault(trial)) },
  {
    weight: 0.7,
    act(_, { visit: { tab } }) {
      tab.readsFail = !tab.readsFail;
      tab.log(tab.readsFail ? "can read nothing" : "can read again");
    },
  },
  {
    weight: 0.7,
    act({ choices }, { visit: { tab } }) {
      tab.latencyMs = choices.pick([0, 5, 40, 150]);
      tab.log(`has a latency of ${tab.latencyMs} ms`);
    },
  },
];

/** `end`: how the visit ends. */
const toEnding = (weight: number, what: string, end: (trial: Trial, actor: Actor) => void): Action => ({
  weight,
  act(trial, actor) {
    actor.visit.tab.log(what);
    end(trial, actor);
    actor.writer.visit = null;
  },
});

const endings: Action[] = [
  toEnding(1, "IS KILLED", ({ words }, { writer, visit }) => {
    words.doubt(writer.name, unwrittenMs);
    visit.kill();
  }),
  toEnding(1.5, "IS LEFT", (_, { visit }) => visit.leave()),
  toEnding(0.7, "GOES TO ANOTHER PAGE", (_, { visit }) => visit.route()),
];

const newDocument: Action = {
  weight: 0.7,
  async act({ log, flowId, readTexts }) {
    if (await beginAnew(flowId)) log.note(`THE DOCUMENT BEGINS ANEW with ${listWords(await readTexts()).join(" ")}`);
  },
};

const [first, ...others] = [...typing, ...noteActions, ...pauses, ...faults, ...endings];
if (!first) throw new Error("There are no actions.");

/** What writers do, and what happens to them. */
export const actions = [first, ...others] as const;

/** The same, and the shared document is replaced by a new one at times. */
export const actionsWithAnew = [...actions, newDocument] as const;
