import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { InFlow } from "@/app/_ui/access/page-scope";
import { showError } from "@/app/_ui/toast/show-error";
import { toStarterId } from "@/lib/core/run/events/run-starter";
import type { ScheduleDetail } from "@/lib/server/schedules/schedule-setting";
import { DeleteDialog } from "./delete-dialog";
import { formatInZone } from "./format-in-zone";
import { type FlowChoice, type ScheduleDraft, saveSchedule } from "./requests";
import { ScheduleDialog } from "./schedule-dialog";
import { LastRunLine, NewTrigger, NoTriggers, TriggerRow, TriggerSection } from "./trigger-list";

interface SchedulesSectionProps {
  schedules: readonly ScheduleDetail[];
  flows: readonly FlowChoice[];
  onChange(message: string): void;
}

type OpenScheduleDialog =
  | { type: "edit"; schedule: ScheduleDetail | null }
  | { type: "delete"; schedule: ScheduleDetail };

const toDraft = ({ flow, name, cron, timeZone, input, missed, overlap, enabled }: ScheduleDetail): ScheduleDraft => ({
  flow,
  name,
  cron,
  timeZone,
  input,
  missed,
  overlap,
  enabled,
});

export function SchedulesSection({ schedules, flows, onChange }: SchedulesSectionProps) {
  const [dialog, setDialog] = useState<OpenScheduleDialog | null>(null);
  const close = (): void => setDialog(null);
  const finish = (message: string): void => {
    close();
    onChange(message);
  };
  const toggle = (schedule: ScheduleDetail): void => {
    const enabled = !schedule.enabled;
    saveSchedule(schedule.id, { ...toDraft(schedule), enabled }).then(
      () => onChange(`${schedule.name} is switched ${enabled ? "on" : "off"}.`),
      showError,
    );
  };
  return (
    <TriggerSection
      title="Schedules"
      description="Start runs at fixed times, such as every weekday at nine."
      action={
        <NewTrigger hasFlow={flows.length > 0} onClick={() => setDialog({ type: "edit", schedule: null })}>
          New schedule
        </NewTrigger>
      }
    >
      {schedules.length === 0 ? (
        <NoSchedules hasFlow={flows.length > 0} />
      ) : (
        <ul>
          {schedules.map((schedule) => (
            <InFlow key={schedule.id} id={schedule.flow}>
              <TriggerRow
                trigger={schedule}
                onEdit={() => setDialog({ type: "edit", schedule })}
                onToggle={() => toggle(schedule)}
                onDelete={() => setDialog({ type: "delete", schedule })}
              >
                <ScheduleFacts schedule={schedule} />
              </TriggerRow>
            </InFlow>
          ))}
        </ul>
      )}
      {dialog && <ScheduleDialogs dialog={dialog} flows={flows} onDone={finish} onClose={close} />}
    </TriggerSection>
  );
}

interface ScheduleDialogsProps {
  dialog: OpenScheduleDialog;
  flows: readonly FlowChoice[];
  onDone(message: string): void;
  onClose(): void;
}

function ScheduleDialogs({ dialog: { type, schedule }, flows, onDone, onClose }: ScheduleDialogsProps) {
  if (type === "delete")
    return (
      <DeleteDialog
        type="schedule"
        trigger={schedule}
        onDeleted={() => onDone(`${schedule.name} is deleted.`)}
        onClose={onClose}
      />
    );
  return (
    <ScheduleDialog
      id={schedule?.id ?? null}
      initial={schedule && toDraft(schedule)}
      flows={flows}
      onSaved={({ name }) => onDone(`${name} is saved.`)}
      onClose={onClose}
    />
  );
}

const NoSchedules = ({ hasFlow }: { hasFlow: boolean }) => (
  <NoTriggers icon={<CalendarClock size={20} aria-hidden />}>
    {hasFlow
      ? "No schedules yet. “Summarise the news of yesterday” at 07:00 of every day is one."
      : "No schedules yet. Make a flow first: a schedule runs one."}
  </NoTriggers>
);

function ScheduleTimesText({ schedule }: { schedule: ScheduleDetail }) {
  const { description, timeZone, enabled, nextAt } = schedule;
  return (
    <>
      <p>
        {description} <span className="text-text-faint">({timeZone})</span>
      </p>
      {enabled && (
        <p>
          {nextAt === null ? (
            "There is no next time."
          ) : (
            <>
              Next <time dateTime={new Date(nextAt).toISOString()}>{formatInZone(nextAt, timeZone)}</time>
            </>
          )}
        </p>
      )}
    </>
  );
}

function ScheduleFacts({ schedule }: { schedule: ScheduleDetail }) {
  const { id, problem, lastAt, lastRun, lastProblem } = schedule;
  return (
    <>
      {problem === null ? (
        <ScheduleTimesText schedule={schedule} />
      ) : (
        <p className="text-danger [overflow-wrap:anywhere]">
          This schedule cannot be read: {problem} It starts no runs. Edit or delete it.
        </p>
      )}
      <LastRunLine at={lastAt} run={lastRun} starter={toStarterId("schedule", id)} never="Has not run yet" />
      {lastProblem !== null && (
        <p className="text-warning [overflow-wrap:anywhere]">No run at the last time: {lastProblem}</p>
      )}
    </>
  );
}
