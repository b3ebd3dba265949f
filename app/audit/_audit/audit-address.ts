import type { SearchParams } from "@/lib/core/trace/model/run-filter";
import { type AuditFilter, auditFilterSchema } from "@/lib/server/audit/audit-queries";

/** The filter and the page in the address of the audit log. */
export type AuditAddress = AuditFilter & { before?: string | undefined };

/** Days as a form sends them: the first of `from`, and the last of `to`, in UTC. */
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const dayMs = 86_400_000;

/** Reads an address. Values that cannot be read, and empty ones, are ignored; never throws. */
export function readAuditAddress(params: SearchParams): AuditAddress {
  const entries = Object.entries(params).flatMap(([name, value]) =>
    typeof value === "string" && value !== "" ? [[name, toMoment(name, value)] as const] : [],
  );
  const readable = entries.filter(([name, value]) => auditFilterSchema.safeParse({ [name]: value }).success);
  const { before } = params;
  return {
    ...auditFilterSchema.parse(Object.fromEntries(readable)),
    ...(typeof before === "string" && before !== "" && { before }),
  };
}

function toMoment(name: string, value: string): string {
  if (!dayPattern.test(value) || Number.isNaN(Date.parse(value))) return value;
  if (name === "from") return new Date(value).toISOString();
  return name === "to" ? new Date(Date.parse(value) + dayMs).toISOString() : value;
}

/** The days of an address as the fields of its form show them. */
export const toDay = (moment: string | undefined, end: "from" | "to"): string =>
  moment === undefined ? "" : new Date(Date.parse(moment) - (end === "to" ? dayMs : 0)).toISOString().slice(0, 10);

/** The query of an address; empty when nothing is set. */
export const toAuditQuery = (address: AuditAddress): string =>
  new URLSearchParams(
    Object.entries(address).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString();
