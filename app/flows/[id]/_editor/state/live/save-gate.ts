import type { SaveWire } from "../save/autosave-driver";

/** Where saves go: through the wire that `find` gives, which is null while the editor is alone, else `fallback`; they wait while they are held. */
export function createSaveGate(fallback: SaveWire, find: () => SaveWire | null) {
  const holds = new Set<Promise<void>>();
  let lastAlone: Promise<unknown> = Promise.resolve();
  const saveNow: SaveWire["save"] = (request) => {
    const together = find();
    if (together) return together.save(request);
    const saving = fallback.save(request);
    lastAlone = saving;
    return saving;
  };
  const saveWhenReleased: SaveWire["save"] = async (request) => {
    while (holds.size > 0) await Promise.all(holds);
    return saveNow(request);
  };
  return {
    save: (request: Parameters<SaveWire["save"]>[0]) =>
      // A page that is left cannot wait.
      holds.size > 0 && !request.keepalive ? saveWhenReleased(request) : saveNow(request),
    isHeld: (): boolean => holds.size > 0,
    /** Keeps saves waiting until the returned function is called: each may go elsewhere then. */
    hold(): () => void {
      let release: () => void = () => {};
      const hold = new Promise<void>((resolve) => {
        release = resolve;
      });
      holds.add(hold);
      return () => {
        holds.delete(hold);
        release();
      };
    },
    /** Resolves when no save of an editor that is alone is under way. */
    async settled(): Promise<void> {
      await lastAlone.catch(() => undefined);
    },
  };
}
