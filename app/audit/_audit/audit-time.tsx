"use client";
import { Moment } from "@/app/_ui/format/moment";

/** When something was done, by the clock of the user. */
export const AuditTime = ({ at: timeMs }: { at: number }) => <Moment at={timeMs} />;
