import { formatCount } from "@/lib/core/flow/format-count";
import type { RunDay } from "@/lib/core/trace/model/run-sums";
import { formatDuration, formatSumCost } from "../../_ui/format/format";

const columns: readonly { name: string; format(day: RunDay): string }[] = [
  { name: "Runs", format: ({ runs }) => formatCount(runs) },
  {
    name: "Cost",
    format: (day) => formatSumCost(day) + (day.unpriced > 0 ? ` + ${day.unpriced} unknown` : ""),
  },
  { name: "Median time", format: ({ medianMs }) => formatDuration(medianMs) },
  { name: "95th percentile", format: ({ p95Ms }) => formatDuration(p95Ms) },
  { name: "Failed", format: ({ byStatus }) => formatCount(byStatus.FAILED + byStatus.TIMEOUT) },
  {
    name: "Failure rate",
    format: ({ failureRate }) => (failureRate === null ? "–" : `${(failureRate * 100).toFixed(0)} %`),
  },
];

export function DayTable({ days }: { days: readonly RunDay[] }) {
  return (
    <table className="w-full text-right tabular-nums">
      <caption className="sr-only">Runs by day</caption>
      <thead className="text-text-muted text-xs">
        <tr>
          <th scope="col" className="py-1 text-left font-medium">
            Day
          </th>
          {columns.map(({ name }) => (
            <th key={name} scope="col" className="py-1 pl-4 font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map((day) => (
          <tr key={day.date} className="border-t">
            <th scope="row" className="whitespace-nowrap py-1 text-left font-normal">
              {day.date}
            </th>
            {columns.map(({ name, format }) => (
              <td key={name} className="whitespace-nowrap py-1 pl-4">
                {format(day)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
