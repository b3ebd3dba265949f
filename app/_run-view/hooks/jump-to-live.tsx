import { ArrowDown } from "lucide-react";
import { Button } from "../../_ui/controls/button";

interface JumpToLiveProps {
  /** Rows added since the list stopped following its end; null: it follows. */
  missed: number | null;
  onJump(): void;
}

export function JumpToLive({ missed, onJump }: JumpToLiveProps) {
  if (missed === null) return null;
  return (
    <Button size="small" onClick={onJump} className="absolute right-4 bottom-3 shadow-popover">
      <ArrowDown size={14} aria-hidden /> Jump to live{missed > 0 ? ` (${missed} new)` : ""}
    </Button>
  );
}
