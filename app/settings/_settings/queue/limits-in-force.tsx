import type { ProviderUse, QueueStatus } from "@/lib/server/runs/queue/read-queue";

type LimitsProps = Pick<QueueStatus, "concurrency" | "teamConcurrency" | "waitingForTeam" | "providers">;

/** The limits that are in force, and what waits because of each. */
export const LimitsInForce = ({ concurrency, teamConcurrency, waitingForTeam, providers }: LimitsProps) => (
  <div>
    <h3 className="font-medium">Limits</h3>
    <ul className="mt-2 divide-y rounded-md border">
      <Limit name="Runs in each process" setting="SWARMLOOM_CONCURRENCY" waiting={null}>
        {concurrency} at the same time
      </Limit>
      <Limit
        name="Runs of each team"
        setting="SWARMLOOM_TEAM_CONCURRENCY"
        waiting={teamConcurrency === null ? null : waitingForTeam}
      >
        {teamConcurrency === null ? "no limit, in turn with other teams" : `${teamConcurrency} at the same time`}
      </Limit>
      {providers.length === 0 ? (
        <Limit name="Model calls" setting="SWARMLOOM_LIMITS" waiting={null}>
          no limit
        </Limit>
      ) : (
        providers.map((use) => (
          <Limit key={use.provider} name={`Calls of ${use.provider}`} setting="SWARMLOOM_LIMITS" waiting={use.waiting}>
            {toUseText(use)}
          </Limit>
        ))
      )}
    </ul>
  </div>
);

const toUseText = ({ calls, starts }: ProviderUse): string =>
  [
    ...(calls ? [`${calls.now} of ${calls.most} at the same time`] : []),
    ...(starts ? [`${starts.now} of ${starts.most} in the last minute`] : []),
  ].join(", ");

interface LimitProps {
  name: string;
  setting: string;
  /** What waits because of it; null: nothing can. */
  waiting: number | null;
  children: React.ReactNode;
}

const Limit = ({ name, setting, waiting, children }: LimitProps) => (
  <li className="flex flex-wrap items-baseline gap-x-4 px-3 py-2">
    <span className="min-w-0 flex-1 basis-48">
      {name} <code className="text-text-muted text-xs [overflow-wrap:anywhere]">{setting}</code>
    </span>
    <span className="text-text-muted tabular-nums">{children}</span>
    {waiting !== null && (
      <span className={waiting > 0 ? "tabular-nums" : "text-text-muted tabular-nums"}>{waiting} waiting</span>
    )}
  </li>
);
