import { loadPart } from "@/app/_ui/loading/load-part";
import type { Session } from "../session";
import { type OpenQuestions, readQuestions, storeQuestions } from "./question-store";

/** Open questions stay in this browser until they are answered: the flow does not have what this user wrote. */
export function keepQuestions(session: Session, tab: string): { restore(): Promise<void>; stop(): void } {
  const { live, seed } = session;
  let replaced: readonly string[] = [];
  let waiting: OpenQuestions | null = null;
  let isWriting = false;
  const write = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    for (let questions = waiting; questions; questions = waiting) {
      const old = replaced;
      waiting = null;
      const isStored = await storeQuestions(seed.id, tab, { questions, replaced: old });
      if (isStored) replaced = replaced.filter((one) => !old.includes(one));
    }
    isWriting = false;
  };
  const stop = live.store.subscribe((state, before) => {
    if (state.lost === before.lost && state.twins === before.twins) return;
    waiting = state;
    void write();
  });
  return {
    async restore(): Promise<void> {
      const kept = await readQuestions(seed.id);
      if (!kept || kept.tabs.length === 0) return;
      replaced = kept.tabs;
      const { resumeQuestions } = await loadPart(() => import("../live/resume-questions"));
      resumeQuestions(session, kept);
    },
    stop,
  };
}
