import { Dialog } from "../../_ui/controls/dialog";
import { KeyList, SingleKeysSwitch } from "../../_ui/keys/key-list";

const rows = [
  { keys: "↑, ↓, Home, End", title: "Move between steps" },
  { keys: "→, ←", title: "Expand, collapse; go to the first child, to the parent" },
  { keys: "Alt ←, Alt →", title: "Previous step, next step on the same level" },
  { keys: "1, 9", title: "Expand to this level" },
  { keys: "E, W", title: "Expand all, collapse all" },
  { keys: "], [", title: "Next failed step, previous failed step" },
  { keys: "N, Shift N", title: "Next search result, previous search result" },
  { keys: "F, /", title: "Search" },
  { keys: "Enter", title: "Focus the step details" },
  { keys: "+, -, 0", title: "Zoom in, zoom out, show the whole run" },
  { keys: "Space", title: "Play, pause" },
  { keys: "J, K", title: "Next run of this flow, previous run" },
  { keys: "Ctrl wheel", title: "Zoom at the pointer" },
] as const;

export default function KeySheet({ onClose }: { onClose(): void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Timeline shortcuts"
      description="On a Mac, Cmd does what Ctrl does here."
    >
      <div className="mb-3">
        <SingleKeysSwitch>Letters alone are shortcuts</SingleKeysSwitch>
      </div>
      <KeyList rows={rows} />
    </Dialog>
  );
}
