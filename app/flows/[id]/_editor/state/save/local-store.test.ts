import "fake-indexeddb/auto";
import * as idb from "idb-keyval";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { localDatabase } from "@/app/_ui/local-data";
import { emptyLayout, type Layout } from "@/lib/core/flow/edit";
import { type LocalCopy, readStoredState, storeTabState } from "./local-store";

const copyOf = (source: string): LocalCopy => ({
  base: { source: "name: a\n", layout: emptyLayout, revision: "r1" },
  current: { source, layout: emptyLayout },
});
const openStore = () => idb.createStore(...localDatabase());
const listCopies = async () => (await readStoredState("f", emptyLayout))?.copies.map(({ tab }) => tab);

/** A browser whose storage has no room for values that `isRefused` picks: the transaction ends without an effect. */
function fillStorage(isRefused: (value: unknown) => boolean): void {
  const put = IDBObjectStore.prototype.put;
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, value, key) {
    const request = put.call(this, value, key);
    if (isRefused(value)) request.addEventListener("success", () => this.transaction.abort());
    return request;
  });
}

beforeEach(async () => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("navigator", {});
  await idb.clear(openStore());
  await storeTabState("f", "old 1", { copy: copyOf("name: b\n"), history: null });
  await storeTabState("f", "old 2", { copy: copyOf("name: c\n"), history: null });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const replaced = ["old 1", "old 2"];

it("a copy replaces those that it has", async () => {
  expect(await storeTabState("f", "new", { copy: copyOf("name: d\n"), history: null, replaced })).toBe(true);
  expect(await listCopies()).toEqual(["new"]);
});

it("without changes all are deleted", async () => {
  expect(await storeTabState("f", "old 1", { copy: null, history: null, replaced: ["old 2"] })).toBe(true);
  expect(await listCopies()).toEqual([]);
});

it.each([
  ["full storage", () => fillStorage(() => true)],
  ["after signing out", () => vi.stubGlobal("localStorage", { getItem: () => String(Date.now() + 1000) })],
  [
    "a value that cannot be stored",
    () =>
      vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
        throw new DOMException("It cannot be cloned.", "DataCloneError");
      }),
  ],
])("nothing is deleted where the new copy is not stored: %s", async (_, refuse) => {
  refuse();
  expect(await storeTabState("f", "new", { copy: copyOf("name: d\n"), history: null, replaced })).toBe(false);
  vi.restoreAllMocks();
  vi.stubGlobal("localStorage", { getItem: () => null });
  expect(await listCopies()).toEqual(["old 1", "old 2"]);
});

it("a text is stored where its steps of undo have no room", async () => {
  fillStorage((value) => value === "long");
  expect(await storeTabState("f", "new", { copy: copyOf("name: d\n"), history: "long", replaced })).toBe(true);
  expect(await listCopies()).toEqual(["new"]);
});

const shown: Layout = { pins: {}, direction: "down" };
const unknownLayout = { pins: {}, lanes: 3 };
/** As another release stores it. */
const storeForeign = (value: object) => idb.set(["copy", "f", "old 1"], value, openStore());

it("a copy is read though its layouts, its document and what was sent cannot be", async () => {
  await storeForeign({
    version: 2,
    base: { source: "name: a\n", layout: unknownLayout, revision: "r1" },
    current: { source: "name: b\n", layout: unknownLayout },
    shared: { lineage: "l" },
    sent: [{ fingerprint: "x", layout: unknownLayout }],
  });
  const { copies, unreadable } = (await readStoredState("f", shown)) ?? {};
  expect(unreadable).toEqual([]);
  expect(copies?.[0]).toEqual({
    tab: "old 1",
    copy: {
      base: { source: "name: a\n", layout: shown, revision: "r1" },
      current: { source: "name: b\n", layout: shown },
      shared: undefined,
      sent: [{ fingerprint: "x", layout: shown }],
    },
  });
});

it("a layout that cannot be read is that of the base", async () => {
  const { base, current } = copyOf("name: b\n");
  const baseLayout: Layout = { pins: { a: { dx: 1, dy: 2 } } };
  await storeForeign({
    version: 1,
    base: { ...base, layout: baseLayout },
    current: { ...current, layout: unknownLayout },
  });
  const { copies } = (await readStoredState("f", shown)) ?? {};
  expect(copies?.[0]?.copy.current).toEqual({ source: "name: b\n", layout: baseLayout });
});

it("names the tabs whose texts cannot be read", async () => {
  await storeForeign({ version: 1, base: null, current: "name: b\n" });
  const { copies, unreadable } = (await readStoredState("f", shown)) ?? {};
  expect([copies?.map(({ tab }) => tab), unreadable]).toEqual([["old 2"], ["old 1"]]);
});
