"use client";

import { CircleAlert, FileInput, FileOutput, FileText, ListTree, PanelRight, Play, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/app/_ui/controls/button";
import { Menu } from "@/app/_ui/controls/menu";
import { Tooltip } from "@/app/_ui/hints/tooltip";
import { errorsOf, runBlockersOf } from "@/lib/core/flow/problem";
import { openExport } from "../../commands/open-export";
import { openImport } from "../../commands/open-import";
import { requestRun } from "../../commands/request-run";
import { useEditorState, useSession, useView } from "../../state/session-context";
import { SaveStatus } from "./save-status";

export function EditorHeader() {
  const session = useSession();
  const { view } = session;
  const name = useEditorState(({ flow }) => flow.name);
  const outlineOpen = useView((state) => state.outlineOpen);
  const textOpen = useView((state) => state.textOpen);
  const inspectorOpen = useView((state) => state.inspectorOpen);
  const preparing = useView((state) => state.preparing);
  const blocker = useEditorState(({ problems }) => runBlockersOf(problems)[0]?.message ?? null);
  return (
    <header className="flex h-11 shrink-0 items-center gap-3 border-line border-b px-3">
      <h1 className="min-w-0 truncate font-semibold text-sm" title={name}>
        {name}
      </h1>
      <SaveStatus />
      <div className="ml-auto flex shrink-0 items-center gap-1">
        <ProblemCount />
        <Toggle label="Outline" pressed={outlineOpen} onPress={() => view.setState({ outlineOpen: !outlineOpen })}>
          <ListTree size={15} aria-hidden />
        </Toggle>
        <Toggle
          label="Text pane"
          keys="Ctrl \"
          pressed={textOpen}
          onPress={() => view.setState({ textOpen: !textOpen })}
        >
          <FileText size={15} aria-hidden />
        </Toggle>
        <Toggle
          label="Inspector pane"
          pressed={inspectorOpen}
          onPress={() => view.setState({ inspectorOpen: !inspectorOpen })}
        >
          <PanelRight size={15} aria-hidden />
        </Toggle>
        <Menu
          label="More for this flow"
          items={[
            {
              label: "Export…",
              icon: <FileOutput size={14} aria-hidden />,
              onSelect: () => openExport(session),
            },
            { label: "Import…", icon: <FileInput size={14} aria-hidden />, onSelect: () => openImport(session) },
          ]}
        />
        <Tooltip content={blocker === null ? "Save and run (Ctrl Enter)" : `Cannot run yet: ${blocker}`}>
          <Button
            variant="primary"
            size="small"
            pending={preparing}
            className="ml-1"
            aria-describedby={blocker === null ? undefined : "run-blocker"}
            onClick={() => void requestRun(session)}
          >
            <Play size={13} aria-hidden /> Run
          </Button>
        </Tooltip>
        {blocker !== null && (
          <span id="run-blocker" hidden>
            Cannot run yet: {blocker}
          </span>
        )}
      </div>
    </header>
  );
}

function ProblemCount() {
  const { view } = useSession();
  const errors = useEditorState(({ problems }) => errorsOf(problems).length);
  const warnings = useEditorState(({ problems }) => problems.filter(({ severity }) => severity === "warning").length);
  if (errors + warnings === 0) return null;
  const Icon = errors > 0 ? CircleAlert : TriangleAlert;
  const label =
    errors > 0
      ? errors === 1
        ? "1 error"
        : `${errors} errors`
      : warnings === 1
        ? "1 warning"
        : `${warnings} warnings`;
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

interface ToggleProps {
  label: string;
  keys?: string;
  pressed: boolean;
  onPress(): void;
  children: ReactNode;
}

function Toggle({ label, keys, pressed, onPress, children }: ToggleProps) {
  return (
    <Tooltip content={keys ? `${label} (${keys})` : label}>
      <button
        type="button"
        aria-label={label}
        aria-pressed={pressed}
        onClick={onPress}
        className="hidden size-7 items-center justify-center rounded-md text-text-muted hover:bg-surface-hover aria-pressed:bg-surface-hover aria-pressed:text-text md:inline-flex"
      >
        {children}
      </button>
    </Tooltip>
  );
}
