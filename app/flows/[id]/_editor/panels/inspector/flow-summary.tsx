import { Button } from "@/app/_ui/controls/button";
import { countNouns } from "@/app/_ui/format/count-nouns";
import { commandKeys } from "../../commands/registry";
import { useEditorState, useSession } from "../../state/session-context";
import { AreaField, TextField } from "./fields/fields";
import { LimitField } from "./fields/limit-field";
import { Section } from "./fields/section";
import { SwarmFields } from "./forms/swarm-fields";
import { VarsField } from "./vars/vars-field";

const shortcuts: readonly (readonly [keys: string, does: string])[] = [
  ["drag a dot", "connect, or add an agent"],
  ["↓ ↑", "next and previous step"],
  ["→ ←", "adjacent lane"],
  ["Enter", "edit the selected node"],
  [`${commandKeys("connect")}, E`, "connect, step through links"],
  [`${commandKeys("add-agent")}, ${commandKeys("add-lane")}`, "add an agent after, beside"],
  ["Alt Shift arrows", "move a node by hand"],
  [
    `${commandKeys("wrap-parallel")}, ${commandKeys("wrap-serial")}, ${commandKeys("extract-swarm")}`,
    "wrap as parallel, serial, swarm",
  ],
  [`${commandKeys("unwrap")}, ${commandKeys("inline")}`, "unwrap, inline"],
  [commandKeys("add-note"), "add a note"],
  [commandKeys("delete"), "delete and close the gap"],
  [commandKeys("run"), "run"],
];

const runLimits = [
  { field: "max_seconds", label: "Seconds", hint: "Then the run ends with TIMEOUT." },
  { field: "max_tokens", label: "Tokens", hint: "Input and output of all model calls." },
  { field: "max_cost", label: "US dollars", hint: "As far as prices are known." },
] as const;

export default function FlowSummary() {
  const { actions, view } = useSession();
  const { name, description = "", swarm, limits, vars, agents } = useEditorState(({ flow }) => flow);
  const problemCount = useEditorState(({ problems }) => problems.length);
  return (
    <div className="grid gap-3">
      <TextField
        text={{ label: "Flow name" }}
        binding={{
          value: name,
          onCommit: (text) => actions.edit({ type: "set-flow-name", name: text.trim() }),
        }}
        isFirst
      />
      <SwarmFields swarm={swarm} scope={{ type: "root" }} />
      <AreaField
        text={{ label: "Description" }}
        binding={{
          value: description,
          onCommit: (text) => actions.edit({ type: "set-flow-description", text: text.trim() }),
        }}
        placeholder="What this flow is for."
        short
      />
      <Section title={vars.size === 0 ? "Variables" : `Variables (${vars.size})`}>
        <VarsField />
      </Section>
      <Section title="Run limits">
        <div className="grid gap-3">
          {runLimits.map(({ field, label, hint }) => (
            <LimitField
              key={field}
              label={label}
              hint={hint}
              limit={{ value: limits[field], written: limits.written?.[field] }}
              placeholder="none"
              toEdits={(value) => [{ type: "set-limit", field, value }]}
            />
          ))}
        </div>
      </Section>
      <p className="text-xs text-text-muted tabular-nums">
        {countNouns(agents.size, "agent")}, {countNouns(problemCount, "problem")}
      </p>
      <ShortcutSummary />
      <Button size="small" variant="ghost" onClick={() => view.setState({ surface: { type: "keys" } })}>
        All keyboard shortcuts
      </Button>
    </div>
  );
}

const ShortcutSummary = () => (
  <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 border-t border-line pt-3 text-xs">
    {shortcuts.map(([stroke, does]) => (
      <div key={stroke} className="contents">
        <dt className="font-mono text-[11px] text-text">{stroke}</dt>
        <dd className="text-text-muted">{does}</dd>
      </div>
    ))}
  </dl>
);
