import { Plus, Trash2 } from "lucide-react";
import { Button } from "@/app/_ui/controls/button";
import { IconButton } from "@/app/_ui/controls/icon-button";
import type { Edit } from "@/lib/core/flow/edit";
import { findFreeName } from "@/lib/core/flow/free-name";
import { useEditorState, useSession } from "../../../state/session-context";
import { readNumber } from "../fields/agent-numbers";
import { CheckField } from "../fields/fields";
import { LineInput, NameInput, TypeSelect } from "../fields/row-inputs";
import { convertVar, type VarValue, varTypes } from "./var-types";

/** A rename changes all references. */
export function VarsField() {
  const { actions } = useSession();
  const vars = useEditorState(({ flow }) => flow.vars);
  const add = (): void => {
    const name = findFreeName(`var_${vars.size + 1}`, (candidate) => vars.has(candidate));
    actions.edit({ type: "set-var", name, value: "" });
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
  const { actions, editor } = useSession();
  const commit = (edit: Edit): string | undefined => editor.dispatch([edit])?.message;
  const toEdit = (next: VarValue): Edit => ({ type: "set-var", name, value: next });
  const label = `Value of variable ${name}`;
  return (
    <li className="grid gap-1">
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
        <IconButton label={`Remove variable ${name}`} onClick={() => actions.edit({ type: "set-var", name })}>
          <Trash2 size={14} aria-hidden />
        </IconButton>
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
    </li>
  );
}
