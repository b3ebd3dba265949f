import { Plus, X } from "lucide-react";
import { useState } from "react";
import type { Edit } from "@/lib/core/flow/edit";
import { findFreeName } from "@/lib/core/flow/free-name";
import { useEditorState, useSession } from "../../../state/session-context";
import { readNumber } from "../fields/agent-numbers";
import { CheckField } from "../fields/fields";
import { followRows, useRows } from "../fields/follow-rows";
import { LineInput, NameInput, TypeSelect } from "../fields/row-inputs";
import { convertVar, type VarValue, varTypes } from "./var-types";

/** Variables as chips; a chip opens the fields of its variable. A rename changes all references. */
export function VarsField() {
  const { actions } = useSession();
  const vars = useEditorState(({ flow }) => flow.vars);
  const rows = useRows([...vars.keys()]);
  const [openId, setOpenId] = useState<string | null>(null);
  const openName = rows.find(({ id }) => id === openId)?.name;
  const openValue = openName === undefined ? undefined : vars.get(openName);
  const add = (): void => {
    const name = findFreeName(`var_${vars.size + 1}`, (candidate) => vars.has(candidate));
    const id = followRows(rows, [...vars.keys(), name]).at(-1)?.id ?? null;
    if (actions.edit({ type: "set-var", name, value: "" })) setOpenId(id);
  };
  const remove = (name: string): void => {
    actions.edit({ type: "set-var", name });
  };
  return (
    <fieldset className="grid gap-1.5">
      <legend className="sr-only">Variables</legend>
      <div aria-hidden className="flex justify-between font-medium text-text-muted text-xs">
        Variables
        {vars.size > 0 && <span className="font-normal text-text-faint tabular-nums">{vars.size}</span>}
      </div>
      <div className="flex flex-wrap gap-1.5">
        <ul aria-label="Variables" className="contents">
          {rows.map(({ name, id }) => (
            <li key={id} className="flex h-6 max-w-full items-center rounded bg-surface-hover">
              <button
                type="button"
                aria-expanded={id === openId}
                aria-label={`Variable ${name}`}
                onClick={() => setOpenId(id === openId ? null : id)}
                className="h-6 min-w-0 truncate rounded-l pl-1.5 font-mono text-[11px] hover:bg-surface-selected"
              >
                {name} = {String(vars.get(name)) || "empty"}
              </button>
              <button
                type="button"
                aria-label={`Remove variable ${name}`}
                onClick={() => remove(name)}
                className="grid size-6 shrink-0 place-items-center rounded-r text-text-muted hover:bg-surface-selected hover:text-text"
              >
                <X size={12} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
        <AddButton onAdd={add} />
      </div>
      {openName !== undefined && openValue !== undefined && <VarForm key={openId} name={openName} value={openValue} />}
    </fieldset>
  );
}

const AddButton = ({ onAdd }: { onAdd(): void }) => (
  <button
    type="button"
    onClick={onAdd}
    className="flex h-6 items-center gap-1 rounded border border-line-input border-dashed px-1.5 text-text-muted text-xs hover:bg-surface-hover hover:text-text"
  >
    <Plus size={12} aria-hidden />
    Add variable…
  </button>
);

function VarForm({ name, value }: { name: string; value: VarValue }) {
  const { actions, editor } = useSession();
  const commit = (edit: Edit): string | undefined => editor.dispatch([edit])?.message;
  const toEdit = (next: VarValue): Edit => ({ type: "set-var", name, value: next });
  const label = `Value of variable ${name}`;
  return (
    <div className="grid gap-1.5 rounded-md border border-line p-2">
      <div className="flex items-center gap-1.5">
        <NameInput
          label={`Name of variable ${name}`}
          value={name}
          onCommit={(text) => commit({ type: "rename-var", from: name, to: text.trim() })}
        />
        <TypeSelect
          label={`Type of variable ${name}`}
          type={varTypes.find((type) => type === typeof value) ?? "string"}
          types={varTypes}
          onChange={(type) => actions.edit(toEdit(convertVar(value, type)))}
        />
      </div>
      {typeof value === "boolean" ? (
        <CheckField
          label={value ? "yes" : "no"}
          name={label}
          checked={value}
          onCommit={(next) => actions.edit(toEdit(next))}
        />
      ) : (
        <LineInput
          label={label}
          value={String(value)}
          placeholder="empty"
          inputMode={typeof value === "number" ? "decimal" : "text"}
          onCommit={(text) => {
            if (typeof value === "string") return commit(toEdit(text));
            const read = readNumber(text);
            return read.ok ? commit(toEdit(read.value ?? 0)) : read.message;
          }}
        />
      )}
      <p className="text-[11px] text-text-faint">
        Written as {`\${vars.${name}}`} in instructions and vars.{name} in conditions.
      </p>
    </div>
  );
}
