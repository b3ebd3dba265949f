import type { TraceExportDetail } from "@/lib/server/trace-export/trace-export-setting";
import { RelativeTime } from "../../_ui/format/relative-time";

export function LastResult({ setting }: { setting: TraceExportDetail }) {
  const { lastSentAt, lastError } = setting;
  return (
    <dl className="flex flex-col gap-1 border-line border-t pt-3 text-text-muted">
      <div className="flex gap-2">
        <dt>Last run sent:</dt>
        <dd>{lastSentAt === null ? "none yet" : <RelativeTime at={lastSentAt} />}</dd>
      </div>
      {lastError !== null && (
        <div className="flex flex-wrap gap-x-2">
          <dt>Last attempt:</dt>
          <dd className="text-danger [overflow-wrap:anywhere]">{lastError}</dd>
        </div>
      )}
    </dl>
  );
}
