import { afterEach, expect, it, vi } from "vitest";
import { RequestError } from "@/app/_ui/loading/fetch-json";
import { findAccessLoss } from "./find-access-loss";

interface Answers {
  me?: { user: { id: string }; teams: { id: string }[] } | number;
  flow?: { mayPublish: boolean } | number;
}

const ann = { user: { id: "ann" }, teams: [{ id: "team" }] };

function serve({ me = ann, flow = { mayPublish: true } }: Answers): void {
  vi.stubGlobal("document", { documentElement: { dataset: { user: "ann" } } });
  vi.stubGlobal("fetch", async (url: string) => {
    const answer = url === "/api/v1/me" ? me : flow;
    if (typeof answer !== "number") return new Response(JSON.stringify(answer));
    return new Response(JSON.stringify({ error: { code: "refused", message: "No." } }), { status: answer });
  });
}
afterEach(() => vi.unstubAllGlobals());

const find = (mayEdit = true) => findAccessLoss("f", { team: "team", mayEdit, mayRun: true, mayManage: false });

it.each<[string, Answers, string | null]>([
  ["whose session has ended", { me: 401 }, "signed-out"],
  ["who has signed in with another account", { me: { ...ann, user: { id: "bob" } } }, "other-account"],
  ["who was removed from the team", { me: { ...ann, teams: [{ id: "other" }] }, flow: 404 }, "left-team"],
  ["whose flow was deleted", { flow: 404 }, "flow-deleted"],
  ["who became a Viewer", { flow: { mayPublish: false } }, "read-only"],
  ["who is an Editor still", {}, null],
])("a user %s learns why the flow cannot be saved", async (_, answers, expected) => {
  serve(answers);
  expect(await find()).toBe(expected);
});

it("a Viewer who may still read loses nothing", async () => {
  serve({ flow: { mayPublish: false } });
  expect(await find(false)).toBeNull();
});

it.each([429, 500, 503])("a server that answers %s does not tell", async (status) => {
  serve({ flow: status });
  await expect(find()).rejects.toThrow(RequestError);
});
