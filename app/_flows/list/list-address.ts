import type { Route } from "next";
import type { SearchParams } from "@/lib/core/trace/model/run-filter";
import type { FlowSort } from "@/lib/server/flows/list-flows";

export const flowSortNames = {
  run: "Last run",
  changed: "Last change",
  name: "Name",
  created: "Created",
} as const satisfies Record<FlowSort, string>;

export const isFlowSort = (text: string): text is FlowSort => Object.hasOwn(flowSortNames, text);

/** What the address of the list shows. */
export interface ListAddress {
  q: string;
  tag: string;
  sort: FlowSort;
  /** How many flows. */
  show: number;
}

/** How many flows the list shows at first, and more at each step. */
export const flowsPerStep = 60;
export const mostShown = 500;

/** Values that cannot be read are ignored. */
export function readListAddress({ q, tag, sort, show }: SearchParams): ListAddress {
  const count = typeof show === "string" ? Number(show) : Number.NaN;
  return {
    q: typeof q === "string" ? q.slice(0, 200) : "",
    tag: typeof tag === "string" ? tag.slice(0, 100) : "",
    sort: typeof sort === "string" && isFlowSort(sort) ? sort : "run",
    show: Number.isInteger(count) ? Math.min(Math.max(count, flowsPerStep), mostShown) : flowsPerStep,
  };
}

export function writeListAddress({ q, tag, sort, show }: ListAddress): Route {
  const params = new URLSearchParams({
    ...(q !== "" && { q }),
    ...(tag !== "" && { tag }),
    ...(sort !== "run" && { sort }),
    ...(show !== flowsPerStep && { show: String(show) }),
  }).toString();
  return params === "" ? "/" : `/?${params}`;
}

export type ListView = "pictures" | "rows";
export const listViewCookie = "swarmloom-flow-list";
export const readListView = (value: string | undefined): ListView => (value === "rows" ? "rows" : "pictures");
