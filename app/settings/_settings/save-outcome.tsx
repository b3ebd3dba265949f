import type { SaveResult } from "./use-saved";

/** Is there from the beginning, so that screen readers read what comes into it. */
export const SaveOutcome = ({ outcome }: { outcome: SaveResult | null }) => (
  <div role="status" className="empty:hidden">
    {outcome && (
      <p className={`[overflow-wrap:anywhere] ${outcome.ok ? "text-success" : "text-danger"}`}>{outcome.text}</p>
    )}
  </div>
);
