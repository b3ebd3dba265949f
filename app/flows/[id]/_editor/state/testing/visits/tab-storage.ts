import { createStore, keys } from "idb-keyval";
import { localDatabase } from "@/app/_ui/local-data";
import { type Browser, createTab, type Tab, tabs } from "./browser";

/** The database of the browser whose code is running. What a page has begun is stored, also where it is gone meanwhile. */
export function openStorage(tab: Tab): IDBFactory {
  if (tab.isDead) throw new Error("The tab is gone.");
  return tab.browser.storage;
}

/** The keys of unsaved changes that a browser keeps for its next visits. */
export function listCopies(browser: Browser): Promise<string[]> {
  const reader = createTab({ name: "reader", browser, log: () => {} }, {});
  return tabs.run(reader, async () => {
    const stored = await keys(createStore(...localDatabase()));
    return stored.flatMap((key) => (Array.isArray(key) && key[0] === "copy" ? [key.join(" ")] : []));
  });
}
