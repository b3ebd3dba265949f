import { agentColorCount } from "@/lib/core/flow/agent-numbers";
import type { NoteColor } from "@/lib/core/flow/note";
import type { ShownStatus } from "@/lib/core/run/events/run-status";

export type SceneColors = ReturnType<typeof readSceneColors>;

export function readSceneColors(element: Element) {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    canvas: token("canvas"),
    surface: token("surface-raised"),
    line: token("line-strong"),
    link: token("link"),
    taken: token("link-taken"),
    frame: token("frame"),
    frameFill: token("frame-fill"),
    text: token("text"),
    onAgent: token("on-agent"),
    muted: token("text-muted"),
    accent: token("accent"),
    danger: token("danger"),
    agents: Array.from({ length: agentColorCount }, (_, number) => token(`agent-${number}`)),
    notes: {
      yellow: token("note-yellow"),
      green: token("note-green"),
      blue: token("note-blue"),
      pink: token("note-pink"),
      grey: token("note-grey"),
    } satisfies Record<NoteColor, string>,
    statuses: {
      INIT: token("idle"),
      RUNNING: token("running"),
      WAITING: token("warning"),
      PAUSED: token("idle"),
      SUCCESS: token("success"),
      FAILED: token("danger"),
      TIMEOUT: token("danger"),
      CANCELLED: token("idle"),
      INTERRUPTED: token("idle"),
      UNREADABLE: token("warning"),
    } satisfies Record<ShownStatus, string>,
  };
}
