import { ChevronDown, ChevronRight, Layers2, TriangleAlert } from "lucide-react";
import type { RefObject } from "react";
import { StepIcon } from "@/app/_kinds/step-icon";
import { runNodeKinds } from "@/lib/core/run/events/events";
import { statusStyles } from "../../_ui/badges/status-badge";

/** The icons that `IconSprites` reads: once on the page, never visible themselves. */
export const RowIcons = ({ ref }: { ref: RefObject<HTMLDivElement | null> }) => (
  <div ref={ref} hidden>
    <ChevronDown data-icon="open" />
    <ChevronRight data-icon="closed" />
    <TriangleAlert data-icon="warning" />
    <Layers2 data-icon="parallel" />
    {runNodeKinds.map((kind) => (
      <span key={kind} data-icon={kind}>
        <StepIcon kind={kind} />
      </span>
    ))}
    {Object.entries(statusStyles).map(([status, { icon: Icon }]) => (
      <Icon key={status} data-icon={status} />
    ))}
  </div>
);
