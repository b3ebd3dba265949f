import { ChevronDown, ChevronRight, TriangleAlert } from "lucide-react";
import type { RefObject } from "react";
import { KindIcon } from "@/app/_kinds/kind-icon";
import { runNodeKinds, runStatuses } from "@/lib/core/run/events/events";
import { statusStyles } from "../../_ui/badges/status-badge";

/** The icons that `IconSprites` reads: once on the page, never visible themselves. */
export const RowIcons = ({ ref }: { ref: RefObject<HTMLDivElement | null> }) => (
  <div ref={ref} hidden>
    <ChevronDown data-icon="open" />
    <ChevronRight data-icon="closed" />
    <TriangleAlert data-icon="warning" />
    {runNodeKinds.map((kind) => (
      <span key={kind} data-icon={kind}>
        <KindIcon kind={kind} />
      </span>
    ))}
    {runStatuses.map((status) => {
      const { icon: Icon } = statusStyles[status];
      return <Icon key={status} data-icon={status} />;
    })}
  </div>
);
