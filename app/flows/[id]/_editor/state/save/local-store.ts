import * as z from "zod/mini";
import { layoutSchema } from "@/lib/core/flow/edit";
import type { Snapshot, Theirs } from "./autosave";

/* Without IndexedDB, or with full storage, nothing is backed up and the server's copy is the only one. */

const snapshotSchema = z.object({ source: z.string(), layout: layoutSchema });
const copySchema = z.object({
  version: z.literal(1),
  base: z.extend(snapshotSchema, { revision: z.string() }),
  current: snapshotSchema,
});

export interface LocalCopy {
  base: Theirs;
  current: Snapshot;
}

const copyKey = (flowId: string, tab: string): [string, string, string] => ["copy", flowId, tab];
const historyKey = (flowId: string): [string, string] => ["history", flowId];
const lockName = (tab: string): string => `swarmloom-tab-${tab}`;
const mostHistories = 30;
const opensKey = "opens";
const opensSchema = z.catch(z.record(z.string(), z.number()), {});

const open = async () => {
  const idb = await import("idb-keyval");
  return { idb, store: idb.createStore("swarmloom", "editor") };
};

export interface StoredTabState {
  /** Null: everything is saved, so the copy is deleted. */
  copy: LocalCopy | null;
  history: unknown;
}

export async function storeTabState(flowId: string, tab: string, { copy, history }: StoredTabState): Promise<boolean> {
  try {
    const { idb, store } = await open();
    const entries: [IDBValidKey, unknown][] = [[historyKey(flowId), history]];
    if (copy) entries.push([copyKey(flowId, tab), { version: 1, ...copy }]);
    await idb.setMany(entries, store);
    if (!copy) await idb.del(copyKey(flowId, tab), store);
    return true;
  } catch {
    return false;
  }
}

export async function readStoredState(
  flowId: string,
): Promise<{ copies: { tab: string; copy: LocalCopy }[]; history: unknown }> {
  try {
    const { idb, store } = await open();
    const alive = await findLiveTabs();
    const tabs = (await idb.keys(store)).flatMap((key) =>
      Array.isArray(key) && key[0] === "copy" && key[1] === flowId && typeof key[2] === "string" ? [key[2]] : [],
    );
    const gone = tabs.filter((tab) => !alive.has(lockName(tab))).toSorted();
    const entries = await idb.getMany<unknown>([historyKey(flowId), ...gone.map((tab) => copyKey(flowId, tab))], store);
    const copies = gone.flatMap((tab, index) => {
      const read = copySchema.safeParse(entries[index + 1]);
      return read.success ? [{ tab, copy: read.data }] : [];
    });
    return { copies, history: entries[0] };
  } catch {
    return { copies: [], history: undefined };
  }
}

export async function forgetCopy(flowId: string, tab: string): Promise<void> {
  await open()
    .then(({ idb, store }) => idb.del(copyKey(flowId, tab), store))
    .catch(() => {});
}

export async function tidyHistories(flowId: string, now: number, dropOwn: boolean): Promise<void> {
  await open()
    .then(async ({ idb, store }) => {
      const opens = opensSchema.parse(await idb.get(opensKey, store));
      const newest = Object.entries({ ...opens, [flowId]: now }).toSorted(([, a], [, b]) => b - a);
      const expiredKeys = newest.slice(mostHistories).map(([id]) => historyKey(id));
      await idb.delMany([...expiredKeys, ...(dropOwn ? [historyKey(flowId)] : [])], store);
      await idb.set(opensKey, Object.fromEntries(newest.slice(0, mostHistories)), store);
    })
    .catch(() => {});
}

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
