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

/** Does something as the user of a page, and notes which words it changed. */
function edit({ words }: Trial, { writer, visit }: Actor, { what, act }: { what: string; act: () => void }): void {
  const before = listWords(visit.getText());
  visit.run(act);
  const after = listWords(visit.getText());
  words.note({ writer: writer.name, before, after });
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
  async act({ log, flowId, readSource }) {
    if (await beginAnew(flowId)) log.note(`THE DOCUMENT BEGINS ANEW with ${listWords(await readSource()).join(" ")}`);
  },
};

const [first, ...others] = [...typing, ...pauses, ...faults, ...endings];
if (!first) throw new Error("There are no actions.");

/** What writers do, and what happens to them. */
export const actions = [first, ...others] as const;

/** The same, and the shared document is replaced by a new one at times. */
export const actionsWithAnew = [...actions, newDocument] as const;
