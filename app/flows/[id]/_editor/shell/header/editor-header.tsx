import {
  CircleAlert,
  FileInput,
  FileOutput,
  FileText,
  ListTree,
  type LucideIcon,
  PanelRight,
  Play,
  TriangleAlert,
} from "lucide-react";
import { Button } from "@/app/_ui/controls/button";
import { Menu } from "@/app/_ui/controls/menu";
import { countNouns } from "@/app/_ui/format/count-nouns";
import { toAriaKeys } from "@/app/_ui/keys/key-chord";
import { errorsOf, runBlockersOf } from "@/lib/core/flow/problem";
import { chordsOf } from "../../commands/editor-command";
import { commandKeys, getCommand } from "../../commands/registry";
import { requestRun } from "../../commands/run-commands";
import { useEditorState, useSession, useView } from "../../state/session-context";
import { SaveStatus } from "./save-status";

export function EditorHeader() {
  const session = useSession();
  const name = useEditorState(({ flow }) => flow.name);
  return (
    <header className="flex h-11 shrink-0 items-center gap-3 border-line border-b px-3">
      <h1 className="min-w-0 truncate font-semibold text-sm" title={name}>
        {name}
      </h1>
      <SaveStatus />
      <div className="ml-auto flex shrink-0 items-center gap-1">
        <ProblemCount />
        {panes.map((pane) => (
          <PaneToggle key={pane.field} {...pane} />
        ))}
        <Menu
          label="More for this flow"
          items={fileItems.map(({ id, icon: Icon }) => ({
            label: getCommand(id).title,
            icon: <Icon size={14} aria-hidden />,
            onSelect: () => getCommand(id).run(session),
          }))}
        />
        <RunButton />
      </div>
    </header>
  );
}

const fileItems: readonly { id: string; icon: LucideIcon }[] = [
  { id: "export", icon: FileOutput },
  { id: "import", icon: FileInput },
];

interface PaneSwitch {
  id: string;
  field: "outlineOpen" | "textOpen" | "inspectorOpen";
  icon: LucideIcon;
}

const panes: readonly PaneSwitch[] = [
  { id: "outline", field: "outlineOpen", icon: ListTree },
  { id: "text-pane", field: "textOpen", icon: FileText },
  { id: "inspector-pane", field: "inspectorOpen", icon: PanelRight },
];

function PaneToggle({ id, field, icon: Icon }: PaneSwitch) {
  const { view } = useSession();
  const isOpen = useView((state) => state[field]);
  const { title } = getCommand(id);
  const keys = commandKeys(id);
  return (
    <button
      data-hint={keys === "" ? title : `${title} (${keys})`}
      type="button"
      aria-label={title}
      aria-keyshortcuts={toAriaKeys(chordsOf(getCommand(id)))}
      aria-pressed={isOpen}
      onClick={() => view.setState({ [field]: !isOpen })}
      className="hidden size-7 items-center justify-center rounded-md text-text-muted hover:bg-surface-hover aria-pressed:bg-surface-hover aria-pressed:text-text md:inline-flex"
    >
      <Icon size={15} aria-hidden />
    </button>
  );
}

function RunButton() {
  const session = useSession();
  const preparing = useView((state) => state.preparing);
  const blocker = useEditorState(({ problems }) => runBlockersOf(problems)[0]?.message ?? null);
  return (
    <>
      <Button
        data-hint={blocker === null ? `Save and run (${commandKeys("run")})` : `Cannot run yet: ${blocker}`}
        variant="primary"
        size="small"
        pending={preparing}
        className="ml-1"
        aria-describedby={blocker === null ? undefined : "run-blocker"}
        onClick={() => void requestRun(session)}
      >
        <Play size={13} aria-hidden /> Run
      </Button>
      {blocker !== null && (
        <span id="run-blocker" hidden>
          Cannot run yet: {blocker}
        </span>
      )}
    </>
  );
}

function ProblemCount() {
  const { view } = useSession();
  const errors = useEditorState(({ problems }) => errorsOf(problems).length);
  const warnings = useEditorState(({ problems }) => problems.filter(({ severity }) => severity === "warning").length);
  if (errors + warnings === 0) return null;
  const Icon = errors > 0 ? CircleAlert : TriangleAlert;
  const label = errors > 0 ? countNouns(errors, "error") : countNouns(warnings, "warning");
  return (
    <button
      type="button"
      onClick={() => view.setState({ inspectorOpen: true, narrowPane: "inspector" })}
      className={`flex h-7 items-center gap-1.5 rounded-md px-2 font-medium text-xs hover:bg-surface-hover ${errors > 0 ? "text-danger" : "text-warning"}`}
    >
      <Icon size={14} aria-hidden />
      {label}
    </button>
  );
}
