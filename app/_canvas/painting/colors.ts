import { agentColorCount } from "@/app/_ui/agent-color";
import type { NoteColor } from "@/lib/core/flow/note";
import type { RunStatus } from "@/lib/core/run/events/events";

export type SceneColors = ReturnType<typeof readSceneColors>;

export function readSceneColors(element: Element) {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    canvas: token("canvas"),
    surface: token("surface-raised"),
    line: token("line-strong"),
    text: token("text"),
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
      SUCCESS: token("success"),
      FAILED: token("danger"),
      TIMEOUT: token("danger"),
      CANCELLED: token("idle"),
    } satisfies Record<RunStatus, string>,
  };
}
