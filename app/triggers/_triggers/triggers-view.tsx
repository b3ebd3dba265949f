"use client";
import { X } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import { PageFrame } from "@/app/_ui/shell/page-frame";
import { type FlowChoice, requestTriggers, type Triggers } from "./requests";
import { SchedulesSection } from "./schedules-section";
import { WebhooksSection } from "./webhooks-section";

const refreshMs = 5_000;

interface TriggersViewProps {
  initial: Triggers;
  flows: readonly FlowChoice[];
  /** Only what starts this flow is listed. */
  chosenFlow: FlowChoice | null;
  /** Of the server, as this browser reaches it. */
  origin: string;
}

export function TriggersView({ initial, flows, chosenFlow, origin }: TriggersViewProps) {
  const { value, problem, retry } = useLoaded({ key: "triggers", refreshMs }, requestTriggers);
  const [news, setNews] = useState("");
  const { schedules, webhooks } = value ?? initial;
  const isListed = ({ flow }: { flow: string }): boolean => chosenFlow === null || flow === chosenFlow.id;
  const showChange = (message: string): void => {
    setNews(message);
    retry();
  };
  // The chosen flow comes first, so that forms begin with it.
  const isChosenEditable = flows.some(({ id }) => id === chosenFlow?.id);
  const choices =
    chosenFlow === null || !isChosenEditable ? flows : [chosenFlow, ...flows.filter(({ id }) => id !== chosenFlow.id)];
  return (
    <PageFrame width="narrow" className="flex flex-col gap-5">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-semibold text-xl tracking-tight">Triggers</h1>
        {chosenFlow && (
          <span className="flex min-w-0 items-center gap-1 rounded-full border border-line-strong bg-surface py-0.5 pr-0.5 pl-2.5">
            <Link href={`/flows/${chosenFlow.id}`} className="truncate font-medium hover:underline">
              {chosenFlow.name}
            </Link>
            <Link
              href="/triggers"
              aria-label="Show the triggers of all flows"
              className="grid size-6 shrink-0 place-items-center rounded-full text-text-muted hover:bg-surface-hover"
            >
              <X size={13} aria-hidden />
            </Link>
          </span>
        )}
        <p role="alert" className="text-danger empty:hidden">
          {problem && `This list may be old: ${problem}`}
        </p>
      </div>
      <SchedulesSection schedules={schedules.filter(isListed)} flows={choices} onChange={showChange} />
      <WebhooksSection webhooks={webhooks.filter(isListed)} flows={choices} origin={origin} onChange={showChange} />
      <p role="status" className="sr-only">
        {news}
      </p>
    </PageFrame>
  );
}
