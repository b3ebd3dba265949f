import { useState } from "react";
import { SelectField } from "./fields";

/** Longer lists are created when the select opens, because they would make up most of the page. */
const mostAtOnce = 100;

interface ChooseFieldProps<T> {
  label: string;
  prompt: string;
  count: number;
  list(): readonly { label: string; choice: T }[];
  onChoose(choice: T): void;
}

export function ChooseField<T>({ label, prompt, count, list, onChoose }: ChooseFieldProps<T>) {
  const [isOpen, setOpen] = useState(false);
  const isLong = count > mostAtOnce;
  const choices = isOpen || !isLong ? list().map((option, index) => ({ ...option, value: String(index) })) : [];
  if (choices.length === 0 && !isLong) return null;
  const choose = (value: string): void => {
    const chosen = choices.find((option) => option.value === value);
    if (chosen) onChoose(chosen.choice);
  };
  return (
    <SelectField
      label={label}
      value=""
      options={[{ value: "", label: prompt }, ...choices]}
      onCommit={choose}
      onOpenChange={setOpen}
    />
  );
}
