import { findMisfits } from "@/lib/core/check/check-model-fit";
import type { AgentField, Edit } from "@/lib/core/flow/edit";
import type { Agent } from "@/lib/core/kinds/agent";
import { useModelOffer } from "../../../state/models/use-models";
import { useSession } from "../../../state/session-context";
import { type AgentNumber, limitOf, numbersFor } from "../fields/agent-numbers";
import { CheckField } from "../fields/fields";
import { LimitField } from "../fields/limit-field";
import { Section } from "../fields/section";
import { ModelField } from "../model/model-field";

export function AgentLimits({ agent }: { agent: Agent }) {
  const { actions } = useSession();
  const offer = useModelOffer(agent.model ?? "");
  const misfits = findMisfits(agent, agent.model ?? "");
  const set = (field: AgentField, value: Extract<Edit, { type: "set-agent-field" }>["value"]): void => {
    actions.edit({ type: "set-agent-field", name: agent.name, field, value });
  };
  return (
    <Section title="Advanced">
      <div className="grid grid-cols-2 gap-3">
        {numbersFor(offer).map((number) => (
          <NumberField
            key={number.field}
            agent={agent}
            number={number}
            warning={misfits.find(({ field }) => field === number.field)?.reason}
          />
        ))}
        <div className="col-span-2 grid gap-3">
          <ModelField
            label="Fallback model"
            model={agent.fallback_model ?? ""}
            written={agent.written?.fallback_model}
            hint="Asked once when the model gave no answer."
            onCommit={(model) => set("fallback_model", model === "" ? undefined : model)}
          />
          <CheckField
            label="Leave out the oldest turns when the conversation is too long"
            checked={agent.trim_context}
            onCommit={(checked) => set("trim_context", checked ? true : undefined)}
          />
          <CheckField
            label="Include messages from before the run"
            checked={agent.use_history}
            onCommit={(checked) => set("use_history", checked ? undefined : false)}
          />
        </div>
      </div>
    </Section>
  );
}

interface NumberFieldProps {
  agent: Agent;
  number: AgentNumber;
  warning: string | undefined;
}

/** Shows why where the model does not support it. */
function NumberField({ agent, number: { refused, ...number }, warning }: NumberFieldProps) {
  const { field, label } = number;
  const limit = limitOf([agent], field);
  if (limit.value === undefined && limit.written === undefined && refused !== undefined)
    return (
      <p className="text-xs text-text-faint">
        <span className="block font-medium text-text-muted">{label}</span>
        {refused}
      </p>
    );
  return (
    <LimitField
      {...number}
      limit={limit}
      warning={warning}
      toEdits={(value) => [{ type: "set-agent-field", name: agent.name, field, value }]}
    />
  );
}
