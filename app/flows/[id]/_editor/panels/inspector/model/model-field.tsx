import { KeyRound } from "lucide-react";
import { loadConnectionDialog } from "@/app/_connections/lazy-connection-dialog";
import { describeVariable, joinHints } from "@/app/_kinds/describe-variable";
import { Button } from "@/app/_ui/controls/button";
import { createModelCheck } from "@/lib/core/check/check-agent";
import { parseModel } from "@/lib/core/flow/model-name";
import { describeBriefly, describeFacts } from "../../../state/models/describe-model";
import { useModelOffer } from "../../../state/models/use-models";
import { useSession, useView } from "../../../state/session-context";
import { Field } from "../fields/fields";
import { Disclosure } from "../fields/section";
import { ModelPicker } from "./model-picker";

interface ModelFieldProps {
  model: string;
  written?: string | undefined;
  onCommit(model: string): void;
  label?: string;
  hint?: string;
}

export function ModelField({ model, written, onCommit, label = "Model", hint }: ModelFieldProps) {
  const { view } = useSession();
  const providers = useView((view) => view.providers);
  const offer = useModelOffer(model);
  const provider = providers.find(({ id }) => id === parseModel(model).provider);
  const [problem] = model === "" ? [] : createModelCheck(providers)({ title: "This", model, field: "model" });
  const facts = offer && describeBriefly(offer, provider?.label ?? "");
  const variableHint = describeVariable(written, model === "" ? undefined : model);
  const writtenModel = written ?? model;
  return (
    <div className="grid gap-1">
      <Field
        label={label}
        problem={problem?.severity === "error" ? problem.message : undefined}
        warning={problem?.severity === "warning" ? problem.message : undefined}
        hint={joinHints(variableHint, facts?.join(" · ")) || (hint ?? "provider:model, for example demo:writer")}
        onReset={writtenModel === "" ? undefined : () => onCommit("")}
      >
        {(attributes) => <ModelPicker attributes={attributes} label={label} model={writtenModel} onCommit={onCommit} />}
      </Field>
      {provider && !provider.available && (
        <Button
          size="small"
          className="justify-self-start"
          onPointerEnter={() => void loadConnectionDialog()}
          onClick={() => view.setState({ surface: { type: "connect", provider: provider.id, runsThen: false } })}
        >
          <KeyRound size={13} aria-hidden /> Connect {provider.label}…
        </Button>
      )}
      {offer && offer.provider !== "demo" && label === "Model" && (
        <Disclosure summary="About this model">
          <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 rounded-md bg-surface-sunken p-2">
            {describeFacts(offer).map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-text-muted">{name}</dt>
                <dd className="tabular-nums">{value}</dd>
              </div>
            ))}
          </dl>
        </Disclosure>
      )}
    </div>
  );
}
