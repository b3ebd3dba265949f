import { Dialog as Base } from "@base-ui/react/dialog";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useSession } from "../../state/session-context";
import { EntryList } from "../entry-list/entry-list";
import { listEntries } from "./palette-entries";

export default function Palette() {
  const session = useSession();
  const router = useRouter();
  const [entries] = useState(() => listEntries(session, (path) => router.push(path)));
  const close = (): void => session.view.setState({ surface: null });
  return (
    <Base.Root open onOpenChange={(open) => !open && close()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup className="fixed top-[12vh] left-1/2 z-50 flex max-h-[70dvh] w-[calc(100vw-24px)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-lg border border-line bg-surface-raised shadow-popover">
          <Base.Title className="sr-only">Commands</Base.Title>
          <EntryList label="Commands" placeholder="Find a command or a card" entries={entries} onDone={close} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
