import { CircleHelp, FileText, ListTree, Search } from "lucide-react";
import { countNouns } from "@/lib/core/flow/format-count";
import { toFileName } from "@/lib/core/source/formats/format-names";
import { CommandButton } from "../commands/command-button";
import { useEditorState, useSession, useView } from "../state/session-context";

/** Opens the panes on the left; beside a folded text pane it shows what that contains. */
export function Rail() {
  const isTextOpen = useView((view) => view.textOpen);
  const isOutlineOpen = useView((view) => view.outlineOpen);
  return (
    <div
      role="toolbar"
      aria-label="Panes"
      aria-orientation="vertical"
      className="flex w-10 shrink-0 flex-col items-center gap-0.5 border-line border-r bg-surface py-1.5"
    >
      <CommandButton id="text-pane" icon={FileText} isPressed={isTextOpen} />
      {!isTextOpen && <FileLabel />}
      <span className="flex-1" />
      <CommandButton id="outline" icon={ListTree} isPressed={isOutlineOpen} />
      <CommandButton id="search" icon={Search} />
      <CommandButton id="keys" icon={CircleHelp} />
    </div>
  );
}

/** For the pointer: the button above has the same effect. */
function FileLabel() {
  const { view } = useSession();
  const name = useEditorState(({ flow }) => flow.name);
  const lines = useEditorState(({ text }) => countLines(text));
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden
      onClick={() => view.setState({ textOpen: true })}
      className="flex min-h-0 items-center gap-2.5 overflow-hidden rounded-md px-1.5 py-2 text-xs [writing-mode:vertical-rl] hover:bg-surface-hover"
    >
      <span className="min-h-0 truncate font-mono">{toFileName(name, "yaml")}</span>
      <span className="shrink-0 text-[11px] text-text-muted">{countNouns(lines, "line")}</span>
    </button>
  );
}

function countLines(text: string): number {
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
