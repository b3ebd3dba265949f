import { fitNote, type KeyedNote, noteColors, noteLimits } from "@/lib/core/flow/note";
import { noteSchema } from "@/lib/core/flow/schemas/note-schema";
import { useSession } from "../../../state/session-context";
import { AreaField, TextField } from "../fields/fields";
import { FormHead } from "./form-head";

export function NoteForm({ note }: { note: KeyedNote }) {
  const { actions } = useSession();
  const { id, text, color } = note;
  const write = (words: string): string | boolean => {
    const read = noteSchema.shape.text.safeParse(words);
    return read.success
      ? actions.edit({ type: "change-note", id, change: { text: words } })
      : `Too long: ${read.error.issues[0]?.message}.`;
  };
  return (
    <div className="grid min-h-0 content-start gap-3 overflow-y-auto p-3">
      <FormHead kind="note" title="Note" />
      <AreaField
        text={{ label: "Words", hint: "A comment that does not affect runs." }}
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
  const commit = (typed: string): string | boolean => {
    const size = Number(typed);
    return size >= least && size <= most
      ? actions.edit({ type: "change-note", id: note.id, change: fitNote({ [side]: size }) })
      : `Expected a number from ${least} to ${most}.`;
  };
  return (
    <TextField
      text={{ label: sides[side] }}
      binding={{ value: String(note[side]), onCommit: commit }}
      input={{ inputMode: "numeric" }}
    />
  );
}
