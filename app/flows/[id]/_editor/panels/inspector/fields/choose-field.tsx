"use client";

import { useState } from "react";
import { SelectField } from "./fields";

/** Of more choices than this none is there before somebody comes to choose: they would be most of the page. */
const mostAtOnce = 100;

interface ChooseFieldProps<T> {
  label: string;
  /** Stands in the field. */
  prompt: string;
  /** About how many choices there are. */
  count: number;
  list(): readonly { label: string; choice: T }[];
  onChoose(choice: T): void;
}

/** A list of which one is chosen to have something done. Not shown when there is nothing to choose. */
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
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
    />
  );
}
