import { findNearest } from "@/lib/core/live/find-nearest";
import { mergeConflict } from "../../save/merge-conflict";
import { saveMerged } from "../../save/resolve-conflict";
import type { Session } from "../../session";
import type { Trial, Writer } from "./trial";
import type { Visit } from "./visit";
import { listWords, without } from "./words";
import { printTexts } from "./written-texts";

/** As long as a user reads before the answer, in milliseconds. */
const answerMs = 50;

/** Logs what a visit does, and answers its questions. */
export function watchVisit(trial: Trial, writer: Writer, visit: Visit): void {
  watchSaves(visit);
  watchLive(trial, visit);
  visit.session.view.subscribe(({ dialog }, before) => {
    if (trial.isOver || dialog === before.dialog || dialog === null) return;
    visit.tab.log(`opens the dialog ${dialog}`);
    if (dialog === "conflict") askAboutConflict(trial, writer, visit);
    else if (dialog !== "twins") trial.log.fail(`${visit.tab.name} opens the dialog ${dialog}`);
  });
}

function watchSaves({ tab, session }: Visit): void {
  session.autosave.store.subscribe((state, before) => {
    if (state.phase === before.phase && state.revision === before.revision) return;
    const { phase, revision, unanswered, review } = state;
    const details = [
      `revision ${revision.slice(0, 4)}`,
      ...(unanswered.length > 0 ? [`${unanswered.length} unanswered`] : []),
      ...(review ? ["with review"] : []),
    ];
    tab.log(`${before.phase} -> ${phase}, ${details.join(", ")}`);
  });
}

function watchLive({ log }: Trial, { tab, session, getText }: Visit): void {
  const { live } = session;
  live.store.subscribe(({ status, twins }, before) => {
    if (status !== before.status) {
      const shown = listWords(getText());
      const known = live.states.list().slice(-4);
      const differences = known.map((state) => describeChange(shown, listWords(printTexts(state))));
      tab.log(`is ${status}, shows ${shown.join(" ")}, knew ${JSON.stringify(differences)}`);
    }
    if (twins === before.twins || twins.length === 0) return;
    const texts = twins.map(({ parts }) => parts.map(({ text }) => text));
    log.ask(`${tab.name} asks about two texts: ${JSON.stringify(texts)}`, true);
  });
}

const describeChange = (before: readonly string[], after: readonly string[]): string[] => [
  ...without(after, before),
  ...without(before, after).map((word) => `-${word}`),
];

function readConflict({ autosave, editor }: Session) {
  const state = autosave.store.getState();
  const { stored, sharedTexts, theirs, review } = state;
  if (!theirs) return null;
  const { text, layout } = editor.store.getState();
  const bases = sharedTexts.map(({ source, notes }) => ({ source, layout: { ...stored.layout, notes } }));
  const base = findNearest([stored, ...bases], theirs);
  const merged = mergeConflict(state, { source: text, layout }, theirs);
  return { theirs, review, merged, words: describeChange(listWords(printTexts(base)), listWords(printTexts(theirs))) };
}

/** Counts a question about a conflict; answers it with what the merge view shows at first. */
function askAboutConflict({ log, words }: Trial, writer: Writer, visit: Visit): void {
  const { tab, session } = visit;
  const conflict = readConflict(session);
  if (!conflict) return;
  const { merged, review } = conflict;
  const isOwn = conflict.words.every((word) => words.isOf(word.replace("-", ""), writer.name));
  const details = [
    isOwn ? "own text only" : "text of others",
    ...(session.live.isTogether() ? ["while together"] : []),
    ...(review ? ["restored"] : []),
    `${merged.conflicts} conflicts`,
    ...(merged.suspicious ? ["suspicious"] : []),
  ];
  log.ask(`${tab.name} asks about a conflict (${details.join(", ")}): ${conflict.words}`, merged.conflicts > 0);
  setTimeout(() => {
    const now = readConflict(session);
    if (tab.isDead || !now) return;
    const { text: source, layout } = now.merged;
    visit.run(() => saveMerged(session, now.theirs, { source, layout }));
  }, answerMs);
}
