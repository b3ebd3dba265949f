import { useEffect, useState } from "react";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import type { ScheduleTimes } from "@/lib/server/schedules/schedule-setting";
import { formatInZone } from "./format-in-zone";
import { previewSchedule } from "./requests";

const typingPauseMs = 250;

/** The times in words and the first ones of them, or what is wrong. */
export function SchedulePreview({ times }: { times: ScheduleTimes }) {
  const settled = useSettled(JSON.stringify(times));
  const { cron, timeZone } = times;
  const { value, problem, isCurrent } = useLoaded({ key: settled }, (signal) =>
    previewSchedule({ cron, timeZone }, signal),
  );
  return (
    <div aria-live="polite" aria-busy={!isCurrent} className="min-h-[124px] text-text-muted sm:col-span-2">
      {problem !== null ? (
        <p className="text-danger [overflow-wrap:anywhere]">{problem}</p>
      ) : (
        value && (
          <>
            <p className="font-medium text-text">{value.description}</p>
            <ul className="mt-1 tabular-nums">
              {value.times.map((time) => (
                <li key={time}>
                  {isKnownZone(timeZone) ? formatInZone(time, timeZone) : new Date(time).toISOString()}
                </li>
              ))}
            </ul>
          </>
        )
      )}
    </div>
  );
}

/** Whether it can be displayed: while it is typed, the answer is that of the zone before. */
function isKnownZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** A text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
