import type { ReactNode } from "react";
import {
  Bar,
  BarChart,
  type BarProps,
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import type { RunDay } from "@/lib/core/trace/model/run-sums";
import { formatCost, formatDuration } from "../../_ui/format/format";

const height = 112;
const tick = { fill: "var(--text-muted)", fontSize: 11 };
const margin = { top: 6, right: 8, bottom: 0, left: 0 };
const cursor = { fill: "var(--surface-hover)", stroke: "var(--line-strong)" };
const tooltip = {
  background: "var(--surface-raised)",
  border: "1px solid var(--line-strong)",
  borderRadius: 6,
  color: "var(--text)",
  fontSize: 12,
  padding: "4px 8px",
};

const bar: Pick<BarProps, "maxBarSize" | "radius" | "isAnimationActive"> = {
  maxBarSize: 28,
  radius: [2, 2, 0, 0],
  isAnimationActive: false,
};

const line = { strokeWidth: 2, isAnimationActive: false };

const formatDay = (date: unknown): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const formatShare = (share: number): string => `${Math.round(share * 100)} %`;

export default function RunCharts({ days }: { days: readonly RunDay[] }) {
  const dot = days.length <= 31 ? { r: 2, strokeDasharray: "0" } : false;
  const hasCost = days.some(({ cost }) => cost > 0);
  const hasTime = days.some(({ medianMs }) => medianMs !== null);
  const hasFailed = days.some(({ failureRate }) => failureRate !== null && failureRate > 0);
  return (
    <div aria-hidden className="grid auto-cols-fr gap-4 md:grid-flow-col">
      {hasCost && (
        <Chart title="Cost">
          <DayChart days={days} as={BarChart} format={formatCost}>
            <Bar {...bar} dataKey="cost" name="Cost" fill="var(--accent)" />
          </DayChart>
        </Chart>
      )}
      {hasTime && (
        <Chart
          title="Time"
          legend={
            <>
              <Sign color="var(--accent)" name="Median" />
              <Sign color="var(--agent-2)" name="95th percentile" dashed />
            </>
          }
        >
          <DayChart days={days} as={LineChart} format={formatDuration}>
            <Line {...line} dot={dot} dataKey="medianMs" name="Median" stroke="var(--accent)" />
            <Line
              {...line}
              dot={dot}
              dataKey="p95Ms"
              name="95th percentile"
              stroke="var(--agent-2)"
              strokeDasharray="5 3"
            />
          </DayChart>
        </Chart>
      )}
      {hasFailed && (
        <Chart title="Failure rate">
          <DayChart days={days} as={BarChart} format={formatShare}>
            <Bar {...bar} dataKey="failureRate" name="Failure rate" fill="var(--danger)" />
          </DayChart>
        </Chart>
      )}
    </div>
  );
}

interface ChartProps {
  title: string;
  legend?: ReactNode;
  children: ReactNode;
}

const Chart = ({ title, legend, children }: ChartProps) => (
  <figure className="min-w-0">
    <figcaption className="mb-1 flex flex-wrap items-center gap-x-3 font-medium">
      {title}
      {legend}
    </figcaption>
    {children}
  </figure>
);

function Sign({ color, name, dashed = false }: { color: string; name: string; dashed?: boolean }) {
  return (
    <span className="flex items-center gap-1.5 font-normal text-text-muted text-xs">
      <span className={`w-4 border-t-2 ${dashed ? "border-dashed" : ""}`} style={{ borderColor: color }} />
      {name}
    </span>
  );
}

interface DayChartProps {
  days: readonly RunDay[];
  as: typeof BarChart | typeof LineChart;
  format(value: number): string;
  children: ReactNode;
}

function DayChart({ days, as: Shape, format, children }: DayChartProps) {
  return (
    <ResponsiveContainer width="100%" height={height}>
      <Shape data={[...days]} margin={margin} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="date"
          tickFormatter={formatDay}
          tick={tick}
          tickLine={false}
          stroke="var(--line)"
          minTickGap={24}
        />
        <YAxis width={52} tickFormatter={format} tick={tick} tickLine={false} axisLine={false} tickCount={4} />
        <Tooltip
          contentStyle={tooltip}
          cursor={cursor}
          isAnimationActive={false}
          labelFormatter={formatDay}
          formatter={(value, name) => [format(Number(value)), name]}
        />
        {children}
      </Shape>
    </ResponsiveContainer>
  );
}
