import type { Presence } from "@/lib/core/live/messages";

/** 20 times a second at most. */
const sendMs = 50;
/** A pointer that rests so long disappears for the others. */
const restMs = 30_000;

const nothing: Presence = { pointer: null, selection: [], caret: null, view: null, drag: null };

/** What the user does, sent while someone is there to see it. */
export function createPresence(send: (presence: Presence) => void) {
  let presence = nothing;
  let isActive = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  let sentAt = 0;

  const sendNow = (): void => {
    timer = undefined;
    sentAt = performance.now();
    send(presence);
  };
  const sendSoon = (): void => {
    if (isActive) timer ??= setTimeout(sendNow, Math.max(0, sentAt + sendMs - performance.now()));
  };
  const change = (changed: Partial<Presence>): void => {
    presence = { ...presence, ...changed };
    if (changed.pointer) {
      clearTimeout(restTimer);
      restTimer = setTimeout(() => change({ pointer: null }), restMs);
    }
    sendSoon();
  };
  return {
    change,
    setActive(next: boolean): void {
      const begins = next && !isActive;
      isActive = next;
      if (begins) sendSoon();
    },
    stop(): void {
      clearTimeout(timer);
      clearTimeout(restTimer);
    },
  };
}
