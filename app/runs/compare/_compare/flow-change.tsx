import type { FlowChange } from "@/lib/server/runs/read/compare-runs";
import { LineHunks } from "../../../_ui/text/line-hunks";

export function FlowChangeView({ change, letter }: { change: FlowChange; letter: string }) {
  switch (change.type) {
    case "same":
      return <p className="text-text-muted">Same revision: A and {letter} ran the same text.</p>;
    case "too-different":
      return (
        <p className="text-text-muted">The texts of A and {letter} are too different for a line-by-line comparison.</p>
      );
    case "changed":
      return <LineHunks hunks={change.hunks} />;
  }
}
