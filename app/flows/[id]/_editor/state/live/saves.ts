import type { ClientMessage, ServerMessage } from "@/lib/core/live/messages";
import type { SaveAnswer } from "../save/autosave";
import type { SaveWire } from "../save/autosave-driver";

const longestWaitMs = 15_000;

const lost: SaveAnswer = {
  type: "failed",
  message: "The server did not answer. Changes are kept here, and saved once the connection is back.",
  retryable: true,
  offline: true,
};

/** Saves by messages: what was changed before has been sent before. */
export function createSaves(send: (message: ClientMessage) => void) {
  const waiting = new Map<number, (answer: SaveAnswer) => void>();
  let last = 0;
  const answer = (number: number, result: SaveAnswer): void => {
    waiting.get(number)?.(result);
    waiting.delete(number);
  };
  return {
    save({ summary = "", allowEmpty, snapshot, isAwaited }: Parameters<SaveWire["save"]>[0]): Promise<SaveAnswer> {
      const number = ++last;
      return new Promise((resolve) => {
        const timer = setTimeout(() => answer(number, lost), longestWaitMs);
        waiting.set(number, (result) => {
          clearTimeout(timer);
          const isEmptying = result.type === "failed" && !result.retryable && snapshot.source.trim() === "";
          resolve(isEmptying ? { type: "refused-empty" } : result);
        });
        send({ type: "save", number, summary, allowEmpty, ...(isAwaited && { isAwaited }) });
      });
    },
    take(message: ServerMessage): void {
      if (message.type === "saved") answer(message.number, { type: "succeeded", revision: message.revision });
      if (message.type === "refused")
        answer(message.number, {
          type: "failed",
          message: message.message,
          retryable: message.code === "unavailable",
        });
    },
    /** The connection is lost. */
    fail(): void {
      for (const number of [...waiting.keys()]) answer(number, lost);
    },
  };
}
