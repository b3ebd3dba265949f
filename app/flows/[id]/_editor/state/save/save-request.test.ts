import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { toRevisionServer } from "../testing/serve-revisions";
import { requestLater, requestSave } from "./save-request";

let sent: boolean[] = [];
/** As browsers do, which refuse long bodies of requests that outlive the page. */
function serve(isKeptRefused: boolean): void {
  vi.stubGlobal(
    "fetch",
    async (_: string, { keepalive = false, body = "" }: { keepalive?: boolean; body?: string }) => {
      sent.push(keepalive);
      if (keepalive && (isKeptRefused || body.length > 65_536)) throw new TypeError("Failed to fetch");
      return new Response(JSON.stringify({ revision: "r2" }));
    },
  );
}
beforeEach(() => {
  sent = [];
});
afterEach(() => vi.unstubAllGlobals());

const save = (source: string) =>
  requestSave({
    flowId: "f",
    snapshot: { source, layout: emptyLayout },
    baseRevision: "r1",
    allowEmpty: false,
    keepalive: true,
  });

it.each([
  ["a short text", "name: a\n", false, [true]],
  ["a text of 70 KB", "x".repeat(70_000), false, [false]],
  ["a short text beside other requests", "name: a\n", true, [true, false]],
])("on leaving %s is sent", async (_, source, isKeptRefused, expected) => {
  serve(isKeptRefused);
  expect(await save(source)).toEqual({ type: "succeeded", revision: "r2" });
  expect(sent).toEqual(expected);
});

it("revisions that cannot be read are not none", async () => {
  vi.stubGlobal("fetch", async () => new Response("{}", { status: 503 }));
  expect(await requestLater("f", "r1")).toBeNull();
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ revisions: [{ id: "r1" }], next: null })));
  expect(await requestLater("f", "r1")).toEqual([]);
});

const toRevisions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ source: `${index + 2}`, layout: emptyLayout }));

it.each([8, 99, 100, 150, 500])("the first of %i later revisions are read, oldest first", async (count) => {
  vi.stubGlobal("fetch", toRevisionServer(toRevisions(count)));
  const sources = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11"].slice(0, count);
  expect((await requestLater("f", "r1"))?.map(({ source }) => source)).toEqual(sources);
});

it.each([
  ["a revision that is too far back", "r1", 1_001],
  ["one that the flow does not have", "r0", 150],
])("what follows %s is not known", async (_, base, count) => {
  vi.stubGlobal("fetch", toRevisionServer(toRevisions(count)));
  expect(await requestLater("f", base)).toBeNull();
});
