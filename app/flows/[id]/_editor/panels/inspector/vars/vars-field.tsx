"use client";

import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { IconButton } from "@/app/_ui/controls/icon-button";
import type { Edit } from "@/lib/core/flow/edit";
import { useEditorState, useSession } from "../../../state/session-context";
import { readNumber } from "../fields/agent-numbers";
import { inputClass } from "../fields/fields";
import { useFieldDraft } from "../fields/use-field-draft";
import { convertVar, type VarType, type VarValue, varTypes } from "./var-types";

const typeWords: Record<VarType, string> = { string: "text", number: "number", boolean: "yes or no" };

/** A rename changes all references. */
export function VarsField() {
  const { actions } = useSession();
  const vars = useEditorState(({ flow }) => flow.vars);
  const add = (): void => {
    let number = vars.size + 1;
    while (vars.has(`var_${number}`)) number++;
    actions.edit({ type: "set-var", name: `var_${number}`, value: "" });
  };
  return (
    <div className="grid gap-2">
      <p className="text-text-faint text-xs">
        Written as {`\${vars.name}`} in instructions and as vars.name in conditions.
      </p>
      <ul aria-label="Variables" className="grid gap-2">
        {/* Keyed by index, so that a renamed variable keeps the focus. */}
        {Object.entries([...vars]).map(([index, [name, value]]) => (
          <VarRow key={index} name={name} value={value} />
        ))}
      </ul>
      <Button size="small" variant="ghost" onClick={add} className="justify-self-start">
        <Plus size={14} aria-hidden />
        Add variable
      </Button>
    </div>
  );
}

function VarRow({ name, value }: { name: string; value: VarValue }) {
  const { editor } = useSession();
  const [refused, setRefused] = useState<string | null>(null);
  const edit = (change: Edit): boolean => {
    const problem = editor.dispatch([change]);
    setRefused(problem?.message ?? null);
    return problem === null;
  };
  const rename = (text: string): boolean => edit({ type: "rename-var", from: name, to: text.trim() });
  const draft = useFieldDraft(name, rename, { commitOn: "leave" });
  const set = (next: VarValue): boolean => edit({ type: "set-var", name, value: next });
  return (
    <li className="grid gap-1">
      <div className="flex items-center gap-1.5">
        <input
          {...draft}
          aria-label={`Name of variable ${name}`}
          aria-invalid={refused !== null}
          spellCheck={false}
          autoComplete="off"
          className={`${inputClass} min-w-0 flex-1 font-mono text-xs`}
        />
        <select
          aria-label={`Type of variable ${name}`}
          value={typeof value}
          onChange={({ target }) => {
            const type = varTypes.find((varType) => varType === target.value);
            if (type) set(convertVar(value, type));
          }}
          className="h-7 rounded-md border border-line-strong bg-surface px-1 text-xs"
        >
          {varTypes.map((type) => (
            <option key={type} value={type}>
              {typeWords[type]}
            </option>
          ))}
        </select>
        <IconButton label={`Remove variable ${name}`} onClick={() => edit({ type: "set-var", name })}>
          <Trash2 size={14} aria-hidden />
        </IconButton>
      </div>
      <VarValueField name={name} value={value} onSet={set} onRefuse={setRefused} />
      {refused !== null && (
        <p role="alert" className="text-danger text-xs">
          {refused}
        </p>
      )}
    </li>
  );
}

interface VarValueFieldProps {
  name: string;
  value: VarValue;
  onSet(value: VarValue): boolean;
  onRefuse(message: string): void;
}

function VarValueField({ name, value, onSet, onRefuse }: VarValueFieldProps) {
  const label = `Value of variable ${name}`;
  const draft = useFieldDraft(String(value), (text) => {
    if (typeof value !== "number") return onSet(text);
    const read = readNumber(text);
    if (read.ok) return onSet(read.value ?? 0);
    onRefuse(read.message);
    return false;
  });
  if (typeof value === "boolean")
    return (
      <label className="flex min-h-6 items-center gap-2 text-xs">
        <input
          type="checkbox"
          aria-label={label}
          className="size-4 accent-accent"
          checked={value}
          onChange={(event) => onSet(event.target.checked)}
        />
        {value ? "yes" : "no"}
      </label>
    );
  return (
    <input
      {...draft}
      aria-label={label}
      placeholder="empty"
      inputMode={typeof value === "number" ? "decimal" : "text"}
      className={`${inputClass} text-xs`}
    />
  );
}
