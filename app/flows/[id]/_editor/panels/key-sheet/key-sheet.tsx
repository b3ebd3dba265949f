import { useState } from "react";
import { Dialog } from "@/app/_ui/controls/dialog";
import { KeyList, SingleKeysSwitch } from "@/app/_ui/keys/key-list";
import { useSession } from "../../state/session-context";
import { findKeyRows, keyRows } from "./key-rows";

export default function KeySheet() {
  const { view } = useSession();
  const [query, setQuery] = useState("");
  const groups = [...findKeyRows(keyRows, query)];
  return (
    <Dialog
      open
      onOpenChange={() => view.setState({ surface: null })}
      title="Keyboard shortcuts"
      description="On a Mac, use Cmd instead of Ctrl."
      wide
    >
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <input
          type="search"
          aria-label="Find a shortcut"
          placeholder="Find a shortcut"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="h-8 min-w-48 flex-1 rounded-md border border-line-input bg-surface px-2"
        />
        <SingleKeysSwitch>Single letters are shortcuts on the canvas</SingleKeysSwitch>
      </div>
      {groups.length === 0 && <p className="text-text-muted">No shortcut matches “{query}”.</p>}
      <div className="gap-x-8 sm:columns-2">
        {groups.map(([group, rows]) => (
          <section key={group} aria-label={group} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 font-semibold text-xs">{group}</h3>
            <KeyList rows={rows} />
          </section>
        ))}
      </div>
    </Dialog>
  );
}
