import { statusStyles } from "@/app/_ui/badges/status-badge";
import type { NodeStatus } from "@/lib/core/trace/model/node-statuses";

/** `Succeeded, ran 3 times, simulated` */
export const describeStatus = ({ status, runs, simulated }: NodeStatus): string =>
  `${statusStyles[status].word}${runs > 1 ? `, ran ${runs} times` : ""}${simulated ? ", simulated" : ""}`;
