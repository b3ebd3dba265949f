import { Popover } from "@base-ui/react/popover";
import { useState } from "react";
import { insertButtonId, nodeDomId } from "@/app/_canvas/cards/node-dom-id";
import { Sheet } from "@/app/_ui/controls/lazy-sheet";
import { useMedia } from "@/app/_ui/use-media";
import type { InsertTarget } from "../../state/edits/insert-target";
import { useSession } from "../../state/session-context";
import { EntryList } from "../entry-list/entry-list";
import { listInsertions } from "./insert-entries";

export default function InsertMenu({ target }: { target: InsertTarget }) {
  const session = useSession();
  const [entries] = useState(() => listInsertions(session, target));
  const isNarrow = useMedia("(max-width: 767px)");
  const close = (): void => session.view.setState({ surface: null });
  const list = <EntryList label="Insert" placeholder="Insert…" entries={entries} onDone={close} />;
  if (isNarrow)
    return (
      <Sheet title="Insert" onClose={close} firstFocus={() => document.querySelector("[cmdk-input]")}>
        {list}
      </Sheet>
    );
  return (
    <Popover.Root open onOpenChange={(open) => !open && close()}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={() => findAnchor(target, session.editor.store.getState())}
          side="right"
          align="start"
          sideOffset={8}
          collisionPadding={8}
          className="z-40"
        >
          <Popover.Popup
            finalFocus={() => document.getElementById("flow-canvas")}
            className="flex max-h-[min(420px,70dvh)] w-[min(420px,calc(100vw-24px))] flex-col overflow-hidden rounded-lg border border-line bg-surface-raised shadow-popover"
          >
            <Popover.Title className="sr-only">Insert</Popover.Title>
            {list}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function findAnchor(
  target: InsertTarget,
  { edge, selection }: { edge: string | null; selection: readonly string[] },
): Element | null {
  const link = target.type === "edge" ? target.key : target.type === "selection" ? edge : null;
  const node =
    target.type === "selection"
      ? selection.at(-1)
      : target.type === "edge"
        ? undefined
        : target.type === "into"
          ? target.key
          : target.keys.at(-1);
  const insertButton = link === null ? null : document.getElementById(insertButtonId(link));
  const card = node === undefined ? null : document.getElementById(nodeDomId(node));
  return insertButton ?? card ?? document.getElementById("insert-tools");
}
