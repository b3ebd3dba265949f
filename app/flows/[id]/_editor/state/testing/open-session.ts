import { emptyLayout } from "@/lib/core/flow/edit";
import { packReading } from "@/lib/core/source/read/pack-reading";
import { readSource } from "@/lib/core/source/read-source";
import { loadEditing } from "../editing/editing";
import { createSession, type Seed, type Session, type SessionPorts } from "../session";

await loadEditing();

/** A session of a flow with this text, of which nothing else is known but what is given. Its notices go nowhere. */
export function openSession(source: string, known: Partial<Seed> = {}, ports: SessionPorts = {}): Session {
  const { providers = [], tools = [] } = known;
  const document = readSource(source, { providers, tools: tools.map(({ name }) => name) });
  const session = createSession(
    {
      id: "f",
      source,
      packedReading: packReading(document),
      layout: emptyLayout,
      revision: "r1",
      providers,
      tools,
      models: [],
      shownRun: null,
      lastRun: null,
      lastInput: "",
      ...known,
    },
    { info: () => {}, error: () => {} },
    ports,
  );
  session.editor.open();
  return session;
}
