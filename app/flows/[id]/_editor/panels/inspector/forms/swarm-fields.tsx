import dynamic from "next/dynamic";
import { useState } from "react";
import { loadPart } from "@/app/_ui/loading/load-part";
import type { Scope, SwarmLimit } from "@/lib/core/flow/edit";
import { type Swarm, swarmDefaults, swarmModes } from "@/lib/core/kinds/swarm";
import { rosterOf } from "@/lib/core/kinds/swarm-roster";
import { useSession } from "../../../state/session-context";
import { SelectField } from "../fields/fields";
import { LimitField } from "../fields/limit-field";

const typeTexts: Record<Swarm["mode"], { label: string; hint: string }> = {
  workflow: {
    label: "Workflow",
    hint: "Each member gets the answer of the previous one; parallel members run at the same time.",
  },
  handoff: { label: "Handoff", hint: "One member works at a time, and answers or hands over along a link." },
  team: { label: "Team", hint: "The lead delegates tasks to the other members, several at the same time." },
  orchestrate: { label: "Orchestrate", hint: "The lead spawns agents that work in the background." },
};

const limitsOf: Record<Swarm["mode"], readonly { field: SwarmLimit; label: string; hint: string }[]> = {
  workflow: [],
  handoff: [{ field: "max_handoffs", label: "Max handoffs", hint: "More handoffs than this fail the run." }],
  team: [],
  orchestrate: [
    { field: "max_concurrent", label: "At most at once", hint: "Background agents that run at the same time." },
    { field: "max_agents", label: "At most per run", hint: "Background agents of one run." },
  ],
};

const ModeDialog = dynamic(() => loadPart(() => import("../mode/mode-dialog")), { ssr: false });

export function SwarmFields({ swarm, scope }: { swarm: Swarm; scope: Scope }) {
  const { actions } = useSession();
  const [nextType, setNextType] = useState<Swarm["mode"] | null>(null);
  const lead = swarm.mode === "workflow" ? undefined : rosterOf(swarm)[0];
  return (
    <>
      <SelectField
        label="Members work as"
        value={swarm.mode}
        options={swarmModes.map((type) => ({ value: type, label: typeTexts[type].label }))}
        hint={typeTexts[swarm.mode].hint}
        onCommit={(text) => {
          const type = swarmModes.find((swarmType) => swarmType === text);
          if (type && type !== swarm.mode) setNextType(type);
        }}
      />
      {nextType && (
        <ModeDialog
          scope={scope}
          to={nextType}
          label={typeTexts[nextType].label}
          onCancel={() => setNextType(null)}
          onApply={() => {
            actions.edit({ type: "set-swarm-type", scope, swarm: nextType });
            setNextType(null);
          }}
        />
      )}
      {lead !== undefined && (
        <p className="text-xs text-text-muted">
          {swarm.mode === "handoff" ? "Starts with " : "Led by "}
          <span className="font-mono text-text">{lead}</span>, the first member.
        </p>
      )}
      {limitsOf[swarm.mode].map(({ field, label, hint }) => (
        <LimitField
          key={field}
          label={label}
          hint={hint}
          limit={{ value: swarm[field], written: swarm.written?.[field] }}
          placeholder={String(swarmDefaults[field])}
          toEdits={(value) => [{ type: "set-swarm-field", scope, field, value }]}
        />
      ))}
    </>
  );
}
