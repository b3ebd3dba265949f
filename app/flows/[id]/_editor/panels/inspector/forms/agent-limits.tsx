import { findMisfits } from "@/lib/core/check/check-model-fit";
import type { Agent } from "@/lib/core/kinds/agent";
import { useModelOffer } from "../../../state/models/use-models";
import { useSession } from "../../../state/session-context";
import { setAgentField } from "../fields/agent-edits";
import { limitOf, numbersFor } from "../fields/agent-numbers";
import { CheckField } from "../fields/fields";
import { LimitField } from "../fields/limit-field";
import { Section } from "../fields/section";
import { ModelField } from "../model/model-field";

export function AgentLimits({ agent }: { agent: Agent }) {
  const { actions } = useSession();
  const offer = useModelOffer(agent.model ?? "");
  const misfits = findMisfits(agent, agent.model ?? "");
  return (
    <Section title="Advanced">
      <div className="grid grid-cols-2 gap-3">
        {numbersFor(offer).map(({ refused, ...number }) => {
          const { field, label } = number;
          const limit = limitOf([agent], field);
          return refused !== undefined && limit.value === undefined && limit.written === undefined ? (
            <p key={field} className="text-xs text-text-faint">
              <span className="block font-medium text-text-muted">{label}</span>
              {refused}
            </p>
          ) : (
            <LimitField
              key={field}
              {...number}
              limit={limit}
              warning={misfits.find((misfit) => misfit.field === field)?.reason}
              toEdits={(value) => [setAgentField(agent, field, value)]}
            />
          );
        })}
        <div className="col-span-2 grid gap-3">
          <ModelField
            label="Fallback model"
            model={agent.fallback_model ?? ""}
            written={agent.written?.fallback_model}
            hint="Asked once when the model gave no answer."
            onCommit={(model) => actions.edit(setAgentField(agent, "fallback_model", model || undefined))}
          />
          <CheckField
            label="Leave out the oldest turns when the conversation is too long"
            checked={agent.trim_context}
            onCommit={(checked) => actions.edit(setAgentField(agent, "trim_context", checked || undefined))}
          />
          <CheckField
            label="Include messages from before the run"
            checked={agent.use_history}
            onCommit={(checked) => actions.edit(setAgentField(agent, "use_history", checked ? undefined : false))}
          />
        </div>
      </div>
    </Section>
  );
}
