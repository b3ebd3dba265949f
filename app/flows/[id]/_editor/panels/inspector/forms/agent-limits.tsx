import { findMisfits } from "@/lib/core/check/check-model-fit";
import type { Agent } from "@/lib/core/kinds/agent";
import { useModelOffer } from "../../../state/models/use-models";
import { useSession } from "../../../state/session-context";
import { setAgentField } from "../fields/agent-edits";
import { type AgentNumber, limitOf, numbersFor } from "../fields/agent-numbers";
import { CheckField, SelectField } from "../fields/fields";
import { LimitField } from "../fields/limit-field";
import { Section } from "../fields/section";
import { ModelField } from "../model/model-field";

const frequent: readonly AgentNumber["field"][] = ["max_steps", "max_retries"];

export function AgentLimits({ agent }: { agent: Agent }) {
  const { actions } = useSession();
  const offer = useModelOffer(agent.model ?? "");
  const numbers = numbersFor(offer);
  const rareNumbers = numbers.filter(({ field }) => !frequent.includes(field));
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        {numbers.map((number) =>
          frequent.includes(number.field) ? (
            <AgentNumberField key={number.field} agent={agent} number={{ ...number, hint: "" }} />
          ) : null,
        )}
      </div>
      <Section title="Temperature, timeout, tool calls" detail={describeRare(agent, rareNumbers)}>
        <div className="grid grid-cols-2 gap-3">
          {rareNumbers.map((number) => (
            <AgentNumberField key={number.field} agent={agent} number={number} />
          ))}
          <div className="col-span-2 grid gap-3">
            <ModelField
              label="Fallback model"
              model={agent.fallback_model ?? ""}
              written={agent.written?.fallback_model}
              hint="Asked once when the model gave no answer."
              onCommit={(model) => actions.edit(setAgentField(agent, "fallback_model", model || undefined))}
            />
            <AgentChoices agent={agent} />
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
    </>
  );
}

const choiceFields = [
  {
    field: "tool_calls",
    label: "Tool calls of one turn",
    hint: "Default: all at once; in an orchestrate swarm one after another.",
    labels: { sequential: "One after another", parallel: "All at once" },
  },
  {
    field: "on_limit",
    label: "At max steps",
    hint: "Default: fail; with compat: orbiter use the last text.",
    labels: { answer: "Use the last text", fail: "Fail" },
  },
] as const;

function AgentChoices({ agent }: { agent: Agent }) {
  const { actions } = useSession();
  return choiceFields.map(({ field, label, hint, labels }) => (
    <SelectField
      key={field}
      label={label}
      hint={hint}
      value={agent[field] ?? ""}
      options={[
        { value: "", label: "Default" },
        ...Object.entries(labels).map(([value, text]) => ({ value, label: text })),
      ]}
      onCommit={(value) => actions.edit(setAgentField(agent, field, value || undefined))}
    />
  ));
}

function AgentNumberField({ agent, number: { refused, ...number } }: { agent: Agent; number: AgentNumber }) {
  const { field, label } = number;
  const limit = limitOf([agent], field);
  if (refused !== undefined && limit.value === undefined && limit.written === undefined)
    return (
      <p className="text-text-faint text-xs">
        <span className="block font-medium text-text-muted">{label}</span>
        {refused}
      </p>
    );
  const misfit = findMisfits(agent, agent.model ?? "").find((candidate) => candidate.field === field);
  return (
    <LimitField
      {...number}
      limit={limit}
      warning={misfit?.reason}
      toEdits={(value) => [setAgentField(agent, field, value)]}
    />
  );
}

function describeRare(agent: Agent, numbers: readonly AgentNumber[]): string {
  const limits = numbers.map(({ field }) => limitOf([agent], field));
  const isSet = [
    ...limits.map(({ value, written }) => value !== undefined || written !== undefined),
    agent.fallback_model !== undefined || agent.written?.fallback_model !== undefined,
    ...choiceFields.map(({ field }) => agent[field] !== undefined || agent.written?.[field] !== undefined),
    agent.trim_context,
    !agent.use_history,
  ];
  const count = isSet.filter(Boolean).length;
  return count === 0 ? "all default" : `${count} set`;
}
