"use client";
import { Dialog } from "../../_ui/controls/dialog";
import { KeyList, SingleKeysSwitch } from "../../_ui/keys/key-list";

const rows = [
  { keys: "↑, ↓, Home, End", title: "Go through the steps" },
  { keys: "→, ←", title: "Open, close; to the first step below, to the one above" },
  { keys: "Alt ←, Alt →", title: "The step before, the step after on the same level" },
  { keys: "1, 9", title: "Show so many levels" },
  { keys: "E, W", title: "Open all, close all" },
  { keys: "], [", title: "The next failed step, the one before" },
  { keys: "N, Shift N", title: "The next step that was found, the one before" },
  { keys: "F, /", title: "Search" },
  { keys: "Enter", title: "Read the step" },
  { keys: "+, -, 0", title: "Look closer, farther, at the whole run" },
  { keys: "Space", title: "Play the run again, pause" },
  { keys: "J, K", title: "The next run of this flow, the one before" },
  { keys: "Ctrl wheel", title: "Look closer at the time under the pointer" },
] as const;

export default function KeySheet({ onClose }: { onClose(): void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Keys of the timeline"
      description="On a Mac, Cmd does what Ctrl does here."
    >
      <div className="mb-3">
        <SingleKeysSwitch>Letters alone are shortcuts</SingleKeysSwitch>
      </div>
      <KeyList rows={rows} />
    </Dialog>
  );
}
