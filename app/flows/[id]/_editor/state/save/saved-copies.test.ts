import { afterEach, expect, it, vi } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { openSession } from "../testing/open-session";
import { toRevisionServer } from "../testing/serve-revisions";
import { listSavedTabs, showCopy } from "./saved-copies";
import { toSent } from "./snapshot";

const lines = (...texts: string[]) => ({ source: texts.join("\n"), layout: emptyLayout });
const [base, mine] = [lines("a", "b", "c", "d", "e"), lines("a, mine", "b", "c", "d", "e")];
const copies = [{ tab: "t", copy: { base: { ...base, revision: "r1" }, current: mine } }];

/** The server has these revisions after `r1`, oldest first. */
const serve = (...later: { source: string }[]): void => void vi.stubGlobal("fetch", toRevisionServer(later));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("recognises a copy whose save was stored though its answer came too late", async () => {
  serve(mine, lines("a, theirs", "b", "c", "d", "e"));
  expect(await listSavedTabs("f", copies, { ...lines("a, theirs", "b", "c", "d", "e"), revision: "r3" })).toEqual([
    "t",
  ]);
});

it("recognises it where others have saved more versions since than one page has", async () => {
  const theirs = Array.from({ length: 150 }, (_, index) => lines(`a, theirs ${index}`, "b", "c", "d", "e"));
  serve(mine, ...theirs);
  expect(await listSavedTabs("f", copies, { ...lines("a, theirs 149", "b", "c", "d", "e"), revision: "r152" })).toEqual(
    ["t"],
  );
});

it("recognises it in the flow with what others changed elsewhere", async () => {
  serve();
  expect(await listSavedTabs("f", copies, { ...lines("a, mine", "b", "c", "d", "e, theirs"), revision: "r9" })).toEqual(
    ["t"],
  );
});

it("keeps a copy in which was undone what was stored without an answer", async () => {
  const undone = [{ tab: "t", copy: { base: { ...base, revision: "r1" }, current: base, sent: [toSent(mine)] } }];
  serve(mine);
  expect(await listSavedTabs("f", undone, { ...mine, revision: "r2" })).toEqual([]);
  // It may be stored in a moment.
  expect(await listSavedTabs("f", undone, { ...base, revision: "r1" })).toEqual([]);
  const kept = [{ tab: "t", copy: { base: { ...base, revision: "r1" }, current: mine, sent: [toSent(mine)] } }];
  expect(await listSavedTabs("f", kept, { ...mine, revision: "r2" })).toEqual(["t"]);
});

it("keeps a copy whose changes no revision has, also without a network", async () => {
  const shown = { ...lines("a", "b", "c", "d", "e, theirs"), revision: "r2" };
  serve(shown);
  expect(await listSavedTabs("f", copies, shown)).toEqual([]);
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("offline")));
  expect(await listSavedTabs("f", copies, shown)).toEqual([]);
  expect(await listSavedTabs("f", copies, { ...base, revision: "r1" })).toEqual([]);
});

it("shows a copy where the server does not answer in time", async () => {
  const limits: number[] = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation((limit) => {
    limits.push(limit);
    return AbortSignal.abort();
  });
  vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) =>
    signal?.aborted ? Promise.reject(signal.reason) : new Promise(() => undefined),
  );
  const shown = { ...lines("a", "b", "c", "d", "e, theirs"), revision: "r2" };
  expect(await listSavedTabs("f", copies, shown)).toEqual([]);
  expect(limits).toHaveLength(1);
  // Live editing begins after five seconds, without the copy.
  expect(Math.max(...limits)).toBeLessThan(5000);
});

it("undo of a copy that is shown again removes its changes, and nothing that others wrote since", () => {
  const { editor } = openSession("name: Kept\ndescription: theirs\n");
  showCopy({ editor }, { base: { ...lines("name: Kept", ""), revision: "r1" }, current: lines("name: Mine", "") });
  const merged = "name: Mine\ndescription: theirs\n";
  editor.receive([{ from: 11, to: 11, insert: "description: theirs\n" }], emptyLayout);
  expect(editor.store.getState().text).toBe(merged);
  editor.undo();
  expect(editor.store.getState().text).toBe("name: Kept\ndescription: theirs\n");
});
