import * as idb from "idb-keyval";
import * as z from "zod/mini";
import { keepsLocalData, localDatabase } from "@/app/_ui/local-data";
import type { Layout } from "@/lib/core/flow/edit";
import { layoutSchema } from "@/lib/core/flow/schemas/layout-schema";
import { type SharedCopy, sharedCopySchema } from "./shared-copy";
import type { SentSnapshot, Snapshot, Theirs } from "./snapshot";

/** `shared`: of a flow that is edited together. `sent`: what was saved over `base` without an answer. */
export interface LocalCopy {
  base: Theirs;
  current: Snapshot;
  shared?: SharedCopy | undefined;
  sent?: readonly SentSnapshot[] | undefined;
}

/** A copy as another release may have stored it: its texts are what must be readable. */
const storedCopySchema = z.object({
  base: z.object({ source: z.string(), revision: z.string(), layout: z.optional(z.unknown()) }),
  current: z.object({ source: z.string(), layout: z.optional(z.unknown()) }),
  shared: z.catch(z.optional(sharedCopySchema), undefined),
  sent: z.catch(z.array(z.object({ fingerprint: z.string(), layout: z.optional(z.unknown()) })), []),
});

/** A layout that cannot be read becomes `shown` in the base and in what was sent, and that of the base in the current text. */
function readCopy(value: unknown, shown: Layout): LocalCopy | null {
  const { data } = storedCopySchema.safeParse(value);
  if (!data) return null;
  const toLayout = (layout: unknown, fallback: Layout): Layout => layoutSchema.safeParse(layout).data ?? fallback;
  const { base, current, shared, sent } = data;
  const baseLayout = toLayout(base.layout, shown);
  return {
    base: { ...base, layout: baseLayout },
    current: { ...current, layout: toLayout(current.layout, baseLayout) },
    shared,
    sent: sent.map(({ fingerprint, layout }) => ({ fingerprint, layout: toLayout(layout, shown) })),
  };
}

const copyKey = (flowId: string, tab: string): [string, string, string] => ["copy", flowId, tab];
const historyKey = (flowId: string): [string, string] => ["history", flowId];
const lockName = (tab: string): string => `swarmloom-tab-${tab}`;
const mostHistories = 30;
const opensKey = "opens";
const opensSchema = z.catch(z.record(z.string(), z.number()), {});

/** Null without IndexedDB, with full storage or once the user has signed out: then nothing is backed up and the server's copy is the only one. */
export async function accessStore<T>(use: (store: idb.UseStore) => Promise<T>): Promise<T | null> {
  try {
    if (!keepsLocalData()) return null;
    return await use(idb.createStore(...localDatabase()));
  } catch {
    return null;
  }
}

interface TabState {
  /** Null: everything is saved, and the stored copy of this tab is deleted. */
  copy: LocalCopy | null;
  history: unknown;
  /** Tabs whose copies are deleted in the same transaction, because `copy` has their changes. */
  replaced?: readonly string[];
}

/** Returns whether the copy is stored, or none is needed; else no other copy was deleted. */
export async function storeTabState(
  flowId: string,
  tab: string,
  { copy, history, replaced = [] }: TabState,
): Promise<boolean> {
  const key = copyKey(flowId, tab);
  const isStored = await accessStore(async (store) => {
    const storing = store("readwrite", (table) => {
      // Earlier releases read no copy without a version.
      if (copy) table.put({ version: 1, ...copy }, key);
      else table.delete(key);
      for (const old of replaced) table.delete(copyKey(flowId, old));
      return idb.promisifyRequest(table.transaction);
    });
    // By itself: steps of undo that have no room must not cost the text.
    const keeping = idb.set(historyKey(flowId), history, store);
    await Promise.allSettled([storing, keeping]);
    await storing;
    return true;
  });
  return isStored ?? false;
}

/** The closed tabs that have stored something of a flow, the earliest first. */
export async function listGoneTabs(store: idb.UseStore, kind: "copy" | "questions", flowId: string): Promise<string[]> {
  const alive = await findLiveTabs();
  const tabs = (await idb.keys(store)).flatMap((key) =>
    Array.isArray(key) && key[0] === kind && key[1] === flowId && typeof key[2] === "string" ? [key[2]] : [],
  );
  return tabs.filter((tab) => !alive.has(lockName(tab))).toSorted();
}

/** The copies of closed tabs; `layout` is shown, and stands for layouts that cannot be read. `unreadable`: tabs whose texts cannot be read either. */
export const readStoredState = (flowId: string, layout: Layout) =>
  accessStore(async (store) => {
    const gone = await listGoneTabs(store, "copy", flowId);
    const [history, ...copies] = await idb.getMany<unknown>(
      [historyKey(flowId), ...gone.map((tab) => copyKey(flowId, tab))],
      store,
    );
    const read = gone.map((tab, index) => ({ tab, copy: readCopy(copies[index], layout) }));
    return {
      history,
      copies: read.flatMap(({ tab, copy }) => (copy ? [{ tab, copy }] : [])),
      unreadable: read.flatMap(({ tab, copy }) => (copy ? [] : [tab])),
    };
  });

export const forgetCopies = (flowId: string, tabs: readonly string[]) =>
  accessStore((store) =>
    idb.delMany(
      tabs.map((tab) => copyKey(flowId, tab)),
      store,
    ),
  );

export const tidyHistories = (flowId: string, now: number, dropOwn: boolean) =>
  accessStore(async (store) => {
    const opens = opensSchema.parse(await idb.get(opensKey, store));
    const newest = Object.entries({ ...opens, [flowId]: now }).toSorted(([, a], [, b]) => b - a);
    const expiredKeys = newest.slice(mostHistories).map(([id]) => historyKey(id));
    await idb.delMany([...expiredKeys, ...(dropOwn ? [historyKey(flowId)] : [])], store);
    await idb.set(opensKey, Object.fromEntries(newest.slice(0, mostHistories)), store);
  });

/** Names sort by time; a lock tells other tabs that this one is alive. */
export function nameTab(): { tab: string; release(): void } {
  const tab = `${Date.now().toString(36).padStart(10, "0")}-${Math.random().toString(36).slice(2)}`;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks?.request(lockName(tab), () => held);
  return { tab, release: () => release() };
}

/** Without locks (insecure pages) other tabs count as closed: their changes may appear in two tabs. */
async function findLiveTabs(): Promise<ReadonlySet<string>> {
  const locks = await navigator.locks?.query();
  return new Set(locks?.held?.map(({ name }) => name ?? "") ?? []);
}
