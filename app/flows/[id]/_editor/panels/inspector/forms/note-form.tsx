"use client";

import { Trash2 } from "lucide-react";
import { useState } from "react";
import { KindIcon } from "@/app/_kinds/kind-icon";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { fitNote, type KeyedNote, noteColors, noteLimits, noteSchema } from "@/lib/core/flow/note";
import { useSession } from "../../../state/session-context";
import { AreaField, TextField } from "../fields/fields";

export function NoteForm({ note }: { note: KeyedNote }) {
  const { actions } = useSession();
  const { id, text, color } = note;
  const [problem, setProblem] = useState<string>();
  const write = (words: string): void => {
    const read = noteSchema.shape.text.safeParse(words);
    setProblem(read.success ? undefined : `Too long: ${read.error.issues[0]?.message}.`);
    if (read.success) actions.edit({ type: "change-note", id, change: { text: words } });
  };
  return (
    <div className="grid gap-3">
      <div className="flex items-center justify-between">
        <h2 className="flex items-center gap-2 font-semibold text-[13px]">
          <KindIcon kind="note" />
          Note
        </h2>
        <IconButton label="Delete note" onClick={actions.deleteSelection}>
          <Trash2 size={14} aria-hidden />
        </IconButton>
      </div>
      <AreaField
        text={{ label: "Words", problem, hint: "A comment that does not affect runs." }}
        binding={{ value: text, onCommit: write }}
        isFirst
      />
      <fieldset>
        <legend className="mb-1 font-medium text-text-muted text-xs">Colour</legend>
        <div className="flex flex-wrap gap-1">
          {noteColors.map((choice) => (
            <label
              key={choice}
              className="note-choice flex min-h-7 items-center gap-1.5 rounded-md border px-2 text-xs has-checked:border-accent has-checked:font-medium"
              data-color={choice}
            >
              <input
                type="radio"
                name={`color-${id}`}
                checked={choice === color}
                onChange={() => actions.edit({ type: "change-note", id, change: { color: choice } })}
                className="accent-accent"
              />
              {choice}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="grid grid-cols-2 gap-2">
        <SizeField note={note} side="width" />
        <SizeField note={note} side="height" />
      </div>
    </div>
  );
}

const sides = { width: "Width", height: "Height" } as const;

function SizeField({ note, side }: { note: KeyedNote; side: keyof typeof sides }) {
  const { actions } = useSession();
  const { least, most } = noteLimits[side];
  const [refused, setRefused] = useState(false);
  const commit = (typed: string): void => {
    const size = Number(typed);
    setRefused(!(size >= least && size <= most));
    if (size >= least && size <= most)
      actions.edit({ type: "change-note", id: note.id, change: fitNote({ [side]: size }) });
  };
  return (
    <TextField
      text={{
        label: sides[side],
        problem: refused ? `Expected a number from ${least} to ${most}.` : undefined,
      }}
      binding={{ value: String(note[side]), onCommit: commit }}
      input={{ inputMode: "numeric" }}
    />
  );
}
