import { beforeAll, describe, expect, test, vi } from "vitest";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { type ConversationEntry, toConversationEntries } from "@/lib/core/trace/conversation/conversation-entries";
import { localViewer, toTeamViewer } from "../../auth/viewer";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { startRun } from "../commands";
import { listConversation } from "./conversation-queries";
import { getRun } from "./queries";

const stranger = toTeamViewer({ id: "stranger", name: "S" }, { teamId: "elsewhere", role: "editor" });
const agents = Array.from({ length: 12 }, (_, at) => `a${at}`);
const source = `name: Many
agents:
${agents.map((name) => `  ${name}: { model: "demo:writer", tools: [calculator] }`).join("\n")}
swarm: { type: workflow, flow: ${agents.join(" >> ")} }
`;
let id = "";

beforeAll(async () => {
  await startServices();
  const flow = await createFlow(localViewer, { source });
  id = (await startRun(localViewer, flow.id, { input: "Looms" })).id;
  await vi.waitUntil(async () => isTerminal((await getRun(localViewer, id)).status), { timeout: 20_000 });
});

/** All turns, asked for page by page. */
async function readAll(limit: number): Promise<ConversationEntry[]> {
  const turns: ConversationEntry[] = [];
  for (let after = 0; ; ) {
    const page = await listConversation(localViewer, id, { after, limit });
    expect(page.turns.length).toBeLessThanOrEqual(limit);
    turns.push(...page.turns);
    after = page.next;
    if (!page.more) return turns;
  }
}
const withoutIds = (turns: readonly ConversationEntry[]) => turns.map(({ id: _, ...turn }) => turn);

describe("the turns of a run", () => {
  test("are the same whatever the size of the pages, each of them once, as from its steps", async () => {
    const all = await readAll(200);
    expect(all.length).toBeGreaterThanOrEqual(24);
    expect(all.map(({ id }) => id)).toEqual([...new Set(all.map(({ id }) => id))].sort((a, b) => a - b));
    expect(await readAll(1)).toEqual(all);
    expect(await readAll(7)).toEqual(all);
    expect(withoutIds(all)).toEqual(withoutIds(toConversationEntries((await getRun(localViewer, id)).state.nodes)));
  });

  test("after the last one there is nothing, and the position stays", async () => {
    const last = (await readAll(200)).at(-1)?.id ?? 0;
    const end = await listConversation(localViewer, id, { after: last, limit: 50 });
    expect([end.turns, end.more]).toEqual([[], false]);
    const { turns, next, more } = await listConversation(localViewer, id, { after: end.next, limit: 50 });
    expect({ turns, next, more }).toEqual({ turns: [], next: end.next, more: false });
  });

  test("are read back from the end as from the beginning, whatever the size of the pages", async () => {
    const all = await readAll(200);
    for (const limit of [1, 7, 200]) {
      const turns: ConversationEntry[] = [];
      for (let before = 2 ** 31 - 1, earlier = true; earlier; ) {
        const page = await listConversation(localViewer, id, { before, limit });
        turns.unshift(...page.turns);
        ({ previous: before, earlier } = page);
      }
      expect(turns).toEqual(all);
    }
    const { next } = await listConversation(localViewer, id, { before: 2 ** 31 - 1, limit: 1 });
    expect(await listConversation(localViewer, id, { after: next, limit: 50 })).toMatchObject({
      turns: [],
      more: false,
    });
  });

  test("come around the first entry of a step, without a gap to those before and after", async () => {
    const all = await readAll(200);
    const { nodes } = (await getRun(localViewer, id)).state;
    for (const { id: node } of nodes) {
      const page = await listConversation(localViewer, id, { node, limit: 8 });
      const before = await listConversation(localViewer, id, { before: page.previous, limit: 200 });
      const after = await listConversation(localViewer, id, { after: page.next, limit: 200 });
      expect([...before.turns, ...page.turns, ...after.turns]).toEqual(all);
      expect([page.earlier, page.more]).toEqual([before.turns.length > 0 || page.earlier, after.turns.length > 0]);
      const own = all.filter((turn) => turn.node === node);
      if (own[0]) expect(page.turns.slice(0, 3)).toContainEqual(own[0]);
    }
    await expect(listConversation(localViewer, id, { node: 99_999, limit: 8 })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("are not for outsiders", async () => {
    await expect(listConversation(stranger, id, { after: 0, limit: 50 })).rejects.toMatchObject({ code: "not_found" });
  });
});
