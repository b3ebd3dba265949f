import type { EventLine, FollowPorts } from "./follow-line";

function openLine(url: string): EventLine {
  const source = new EventSource(url);
  const line: EventLine = Object.assign(source, { onping: null });
  source.addEventListener("ping", () => line.onping?.());
  return line;
}

export const browserPorts: FollowPorts = {
  open: openLine,
  beforePicture: (callback) => {
    // A hidden page draws no frames, but its title and announcements still follow the run.
    if (document.hidden) return browserPorts.after(250, callback);
    const frame = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(frame);
  },
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
