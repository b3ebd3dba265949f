import { FileInput, FileOutput, Keyboard, Workflow } from "lucide-react";
import { countNouns, formatCount } from "@/lib/core/flow/format-count";
import { mistakesOf } from "@/lib/core/flow/problem";
import { getCommand, isAllowed } from "../../commands/registry";
import { useEditorState, useOpenComments, useSession, useView } from "../../state/session-context";
import { FlowComments, toCommentsLabel } from "../comments/lazy-comments";
import ProblemList from "../problems/problem-list";
import { NoProblems, Problems } from "../problems/problems-pane";
import { AreaField } from "./fields/fields";
import { LimitField } from "./fields/limit-field";
import { SwarmFields } from "./forms/swarm-fields";
import { EditableFields } from "./frame/editable-fields";
import { InspectorHead } from "./frame/inspector-head";
import { InspectorTabs } from "./frame/inspector-tabs";
import { VarsField } from "./vars/vars-field";

const runLimits = [
  { field: "max_seconds", label: "Seconds", placeholder: "no time limit", hint: "Then the run ends with TIMEOUT." },
  {
    field: "max_tokens",
    label: "Tokens",
    placeholder: "no token limit",
    hint: "Input and output of all model calls.",
  },
  { field: "max_cost", label: "US dollars", placeholder: "no cost limit", hint: "As far as prices are known." },
] as const;

export default function FlowSummary() {
  const session = useSession();
  const name = useEditorState(({ flow }) => flow.name);
  const problemCount = useEditorState(({ problems }) => mistakesOf(problems).length);
  const tab = useView((view) => view.flowTab);
  const openComments = useOpenComments(({ count }) => count);
  const icon = { size: 14, "aria-hidden": true };
  const items = [
    { id: "keys", icon: <Keyboard {...icon} /> },
    { id: "export", icon: <FileOutput {...icon} /> },
    { id: "import", icon: <FileInput {...icon} /> },
  ]
    .filter(({ id }) => isAllowed(getCommand(id), session))
    .map((item) => ({
      label: getCommand(item.id).title,
      icon: item.icon,
      onSelect: () => getCommand(item.id).run(session),
    }));
  return (
    <>
      <InspectorHead
        tile={<Workflow size={16} aria-hidden className="shrink-0 text-text-muted" />}
        title={<h2 className="truncate font-semibold text-sm">{name}</h2>}
        menu={{ label: "More for the flow", items }}
      />
      <InspectorTabs
        label="Flow"
        active={tab}
        onChange={(flowTab) => session.view.setState({ flowTab })}
        tabs={[
          { id: "flow", label: "Flow", content: <FlowFields />, foot: <Problems /> },
          { id: "limits", label: "Limits", content: <RunLimits />, foot: <Problems /> },
          {
            id: "problems",
            label: problemCount === 0 ? "Problems" : `Problems ${formatCount(problemCount)}`,
            content:
              problemCount === 0 ? (
                <NoProblems />
              ) : (
                <section aria-label="Problems" className="-m-3">
                  <ProblemList />
                </section>
              ),
          },
          { id: "comments", label: toCommentsLabel(openComments), content: <FlowComments /> },
        ]}
      />
    </>
  );
}

function FlowFields() {
  const { actions, seed } = useSession();
  const { description = "", swarm, agents } = useEditorState(({ flow }) => flow);
  return (
    <EditableFields className="grid gap-4">
      <AreaField
        text={{ label: "Description" }}
        binding={{
          value: description,
          onCommit: (text) => actions.edit({ type: "set-flow-description", text: text.trim() }),
        }}
        placeholder="What this flow is for."
        short
        isFirst
      />
      <SwarmFields swarm={swarm} scope={{ type: "root" }} />
      <VarsField />
      <p className="text-text-muted text-xs tabular-nums">{countNouns(agents.size, "agent")}</p>
      {seed.copiedFrom && (
        <p className="text-text-muted text-xs [overflow-wrap:anywhere]">Copied from {seed.copiedFrom}</p>
      )}
    </EditableFields>
  );
}

function RunLimits() {
  const limits = useEditorState(({ flow }) => flow.limits);
  return (
    <EditableFields className="grid gap-3">
      <p className="text-text-muted text-xs">A run that reaches a limit stops and keeps its work so far.</p>
      {runLimits.map(({ field, label, hint, placeholder }) => (
        <LimitField
          key={field}
          label={label}
          hint={hint}
          limit={{ value: limits[field], written: limits.written?.[field] }}
          placeholder={placeholder}
          toEdits={(value) => [{ type: "set-limit", field, value }]}
        />
      ))}
    </EditableFields>
  );
}
