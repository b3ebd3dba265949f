import type { SaveAnswer } from "../save/autosave";
import type { SaveWire } from "../save/autosave-driver";

/** After this many milliseconds a save that is held fails, as without a connection. */
const maxWaitMs = 15_000;

const keptBack: SaveAnswer = {
  type: "failed",
  message: "The connection to the server is slow. Changes are saved once it is open.",
  retryable: true,
  offline: true,
  isTraceless: true,
};

/** Where saves go: by the function that `find` gives, which is null while the editor is alone, else `fallback`; they wait while they are held. */
export function createSaveGate(fallback: SaveWire, find: () => SaveWire["save"] | null) {
  const holds = new Set<Promise<void>>();
  let heldSince = 0;
  let lastAlone: Promise<unknown> = Promise.resolve();
  const saveNow: SaveWire["save"] = (request) => {
    const together = find();
    if (together) return together(request).then(toTraceless);
    const saving = fallback.save(request);
    lastAlone = saving;
    return saving;
  };
  const saveWhenReleased: SaveWire["save"] = async (request) => {
    while (holds.size > 0) if (!(await isReleased([...holds], heldSince + maxWaitMs))) return keptBack;
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
      if (holds.size === 0) heldSince = Date.now();
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

/** A save that went through the shared document, where letters have ids. */
const toTraceless = (answer: SaveAnswer): SaveAnswer =>
  answer.type === "failed" ? { ...answer, isTraceless: true } : answer;

/** Resolves to false at the time `deadline`. */
async function isReleased(holds: readonly Promise<void>[], deadline: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, deadline - Date.now()));
  });
  const released = Promise.all(holds).then(() => true);
  return Promise.race([released, isLate]).finally(() => clearTimeout(timer));
}
