import { emptyLayout } from "@/lib/core/flow/edit";
import { readSource } from "@/lib/core/source/read-source";
import { loadEditing } from "../editing/editing";
import { createSession, type Seed, type Session } from "../session";

await loadEditing();

/** A session of a flow with this text, of which nothing else is known but what is given. Its notices go nowhere. */
export const openSession = (source: string, known: Partial<Seed> = {}): Session =>
  createSession(
    {
      id: "f",
      reading: readSource(source, {
        providers: known.providers ?? [],
        tools: known.tools?.map(({ name }) => name) ?? [],
      }),
      layout: emptyLayout,
      revision: "r1",
      providers: [],
      tools: [],
      models: [],
      shownRun: null,
      lastRun: null,
      lastInput: "",
      ...known,
    },
    { info: () => {}, error: () => {} },
  );
