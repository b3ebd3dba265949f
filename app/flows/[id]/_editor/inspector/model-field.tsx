"use client";

import { parseModel } from "@/lib/core/flow/model-name";
import { useSession } from "../session-context";
import { TextField } from "./fields";

/** `provider:model`, with the models that the providers suggest, and a word when a key is missing. */
export function ModelField({ model, onCommit, label = "Model", hint: about }: ModelFieldProps) {
  const { seed } = useSession();
  const suggestions = seed.providers.flatMap(({ id, models }) => models.map((name) => `${id}:${name}`));
  const provider = seed.providers.find(({ id }) => id === parseModel(model).provider);
  const problem =
    model !== "" && provider && !provider.available
      ? `${provider.label} has no key here: set ${provider.missing ?? "its key"} and start again.`
      : undefined;
  const hint = about ?? (model === "" ? "provider:model, for example demo:writer" : provider?.label);
  return (
    <TextField
      label={label}
      value={model}
      onCommit={(text) => onCommit(text.trim())}
      suggestions={suggestions}
      hint={hint}
      problem={problem}
      placeholder="provider:model"
      mono
    />
  );
}

interface ModelFieldProps {
  model: string;
  onCommit(model: string): void;
  label?: string;
  hint?: string;
}
