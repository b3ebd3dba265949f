import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
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
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ revisions: [{ id: "r1" }] })));
  expect(await requestLater("f", "r1")).toEqual([]);
});
