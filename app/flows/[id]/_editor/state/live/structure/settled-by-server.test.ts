import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import type { Edit } from "@/lib/core/flow/edit";
import { toDigest } from "@/lib/core/live/document-digest";
import { readText } from "@/lib/core/live/live-document";
import { listVersions, noteVersion } from "@/lib/core/live/structure-versions";
import { findParts } from "@/lib/core/live/written-parts";
import { toSettledUpdate } from "@/lib/core/settle/settle-structure";
import { readSource } from "@/lib/core/source/read-source";
import { openTogether, seededRandom } from "../../testing/open-together";
import {
  addAgent,
  anyStructureEdit,
  listMistakes,
  lookUp,
  numbered,
  secondName,
  structureSource,
  threeAgents,
} from "../../testing/structure-edits";

/** A longer run: `STRUCTURE_CASES=1000 STRUCTURE_SEED=1`. */
const cases = Number(process.env.STRUCTURE_CASES ?? 60);
const seed = Number(process.env.STRUCTURE_SEED ?? 20_261_126);

type Together = ReturnType<typeof openTogether>;

/** The server has what all of them did. None of them has anything of another one yet. */
function arriveUnsettled({ members, server }: Together): void {
  for (const { toServer } of members) for (const update of toServer.splice(0)) Y.applyUpdate(server, update);
}

/** As the server does it; `client`: in whose name. */
function settle(doc: Y.Doc, previous: string, client = 900): Uint8Array {
  const update = toSettledUpdate({ state: Y.encodeStateAsUpdate(doc), previous, client });
  if (update) Y.applyUpdate(doc, update);
  return update ?? new Uint8Array([0, 0]);
}

const toCopy = (doc: Y.Doc): Y.Doc => {
  const copy = new Y.Doc();
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc));
  return copy;
};

function expectReadable(text: string): void {
  const { broken, unreadableRanges, problems } = readSource(text);
  expect(broken, text).toBe(false);
  expect(unreadableRanges, text).toEqual([]);
  expect(listMistakes(problems), text).toEqual([]);
}

/** Two editors that have left without knowing of each other. The first one has the document with the smaller id. */
function leaveUnsettled(first: Edit[], second: Edit[], source = threeAgents): Y.Doc {
  const together = openTogether(source, 2, { clients: [1, 2] });
  for (const [index, edits] of [first, second].entries())
    for (const edit of edits) expect(together.members[index]?.session.editor.dispatch([edit])).toBeNull();
  arriveUnsettled(together);
  return together.server;
}

describe("the server settles what two people left", () => {
  it.each<[string, Edit[], Edit[], flow: string]>([
    ["two agents at the end", [addAgent("x")], [addAgent("y")], "a >> b >> c >> y >> x"],
    ["two agents of one name", [addAgent("n")], [addAgent("n")], "a >> b >> c >> n_2 >> n"],
    [
      "an arrangement and an agent",
      [{ type: "wrap-parallel", scope: { type: "root" }, names: ["a", "b"] }],
      [addAgent("y")],
      "(a | b) >> c >> y",
    ],
    [
      "a deletion and an agent after the deleted one",
      [{ type: "delete-nodes", scope: { type: "root" }, names: ["b"], declarations: true }],
      [addAgent("y", "b")],
      "a >> y >> c",
    ],
  ])("%s", (_, first, second, flow) => {
    const server = leaveUnsettled(first, second);
    settle(server, threeAgents);
    expectReadable(readText(server));
    expect(numbered(readText(server))).toContain(`  flow: ${flow}\n`);
  });

  const grouped = threeAgents
    .replace("swarm:", 'groups:\n  pair: { flow: "a | b" }\nswarm:')
    .replace("a >> b >> c", "pair >> c");
  const moveIn: Edit = { type: "move-member", name: "c", scope: { type: "group", name: "pair" } };

  it.each<[string, Edit, members: string]>([
    ["deleted", { type: "delete-nodes", scope: { type: "root" }, names: ["c"], declarations: true }, "a | b"],
    ["renamed", { type: "rename", from: "c", to: "z" }, "a | b | z"],
  ])("a member that one %s, and the other one put into a group", (_, first, members) => {
    const server = leaveUnsettled([first], [moveIn], grouped);
    settle(server, grouped);
    expectReadable(readText(server));
    expect(readText(server)).toContain(`pair: { flow: "${members}" }`);
  });

  it("leaves what someone types unreadable where nothing is settled", () => {
    const server = leaveUnsettled([addAgent("x")], []);
    settle(server, threeAgents);
    const typed = readText(server).replace("agents:\n", "agents:\n  y: { model: [\n");
    server.getText("source").insert(readText(server).indexOf("agents:\n") + 8, "  y: { model: [\n");
    settle(server, threeAgents);
    expect(readText(server)).toBe(typed);
  });

  it("leaves a scope as it is of which very many people wrote versions", () => {
    const doc = leaveUnsettled([addAgent("x")], [addAgent("y")]);
    const text = readText(doc);
    const parts = findParts(doc, { from: 0, to: text.length });
    for (let by = 10; by < 40; by++)
      noteVersion(doc, {
        key: `0-${by}`,
        scope: listVersions(doc)[0]?.scope ?? "",
        before: "",
        knows: [],
        renames: {},
        removed: [],
        by,
        parts,
      });
    settle(doc, threeAgents);
    expect(readText(doc)).toBe(text);
  });

  it("gives few references the new name as shared text, and leaves very many as they are", () => {
    const see = (count: number): Edit => ({
      type: "set-agent-field",
      name: "a",
      field: "instructions",
      value: lookUp("n").repeat(count),
    });
    const clients = [200, 201].map((count) => {
      const server = leaveUnsettled([addAgent("n")], [addAgent("n"), see(count)]);
      settle(server, threeAgents);
      expect(numbered(readText(server)).split(lookUp("n_2")).length - 1).toBe(count === 200 ? 200 : 0);
      expectReadable(readText(server));
      return server.store.clients.size;
    });
    expect(clients[1]).toBeLessThan(20);
  });

  it("gives texts of the one who left the new name where another editor settles first", () => {
    const together = openTogether(threeAgents, 2, { clients: [1, 2] });
    const [first, author] = together.members;
    if (!first || !author) throw new Error("Two members are expected.");
    const see: Edit = { type: "set-agent-field", name: "a", field: "instructions", value: lookUp("n") };
    first.session.editor.dispatch([addAgent("n")]);
    for (const edit of [addAgent("n"), see]) author.session.editor.dispatch([edit]);
    for (const update of author.toServer.splice(0)) Y.applyUpdate(together.server, update, author);
    together.lose(author);
    together.settle();
    settle(together.server, threeAgents);
    together.settle();
    expect(numbered(readText(together.server))).toContain(lookUp("n_2"));
    expect(first.session.editor.store.getState().text).toBe(readText(together.server));
  });

  it("leaves what the author writes of the other one after the new name arrived", () => {
    const together = openTogether(threeAgents, 2, { clients: [1, 2] });
    const [first, author] = together.members;
    if (!first || !author) throw new Error("Two members are expected.");
    for (const { session } of [first, author]) session.editor.dispatch([addAgent("n")]);
    together.settle();
    const name = secondName(readText(together.server), "n");
    author.session.editor.dispatch([
      { type: "set-agent-field", name, field: "instructions", value: lookUp("n") },
      addAgent("later"),
    ]);
    together.settle();
    settle(together.server, threeAgents);
    together.settle();
    for (const text of together.texts()) expect(text).toContain(lookUp("n"));
  });

  it("gives texts of the one who left the new name of the agent that they look up", () => {
    const see: Edit = { type: "set-agent-field", name: "a", field: "instructions", value: lookUp("n") };
    const server = leaveUnsettled([addAgent("n")], [addAgent("n"), see]);
    settle(server, threeAgents);
    expect(numbered(readText(server))).toContain(lookUp("n_2"));
  });

  it("gives texts the new name once where the editor of their author does it at the same time", () => {
    const together = openTogether(threeAgents, 2, { clients: [1, 2] });
    const [first, second] = together.members;
    if (!first || !second) throw new Error("Two members are expected.");
    const see: Edit = { type: "set-agent-field", name: "a", field: "instructions", value: lookUp("n") };
    first.session.editor.dispatch([addAgent("n")]);
    for (const edit of [addAgent("n"), see]) second.session.editor.dispatch([edit]);
    arriveUnsettled(together);
    const unsettled = Y.encodeStateAsUpdate(together.server);
    settle(together.server, threeAgents);
    for (const { document, fromServer } of together.members) {
      document.apply(unsettled);
      fromServer.push(Y.encodeStateAsUpdate(together.server));
    }
    together.settle();
    for (const text of together.texts()) expect(numbered(text)).toContain(`"${lookUp("n_2")}"`);
  });

  it("two agents of one name in different scopes", () => {
    const source = threeAgents
      .replace("swarm:", 'groups:\n  pair: { flow: "a | b" }\nswarm:')
      .replace("a >> b >> c", "pair >> c");
    const server = leaveUnsettled([addAgent("n")], [addAgent("n", "a", { type: "group", name: "pair" })], source);
    settle(server, source);
    expectReadable(readText(server));
    expect(readSource(numbered(readText(server))).flow.agents.has("n_2")).toBe(true);
  });

  it("as another server does at the same time", () => {
    const here = leaveUnsettled([addAgent("n")], [addAgent("n", "a")]);
    const there = toCopy(here);
    const [fromHere, fromThere] = [settle(here, threeAgents, 900), settle(there, threeAgents, 901)];
    const settled = readText(here);
    expect(readText(there)).toBe(settled);
    Y.applyUpdate(here, fromThere);
    Y.applyUpdate(there, fromHere);
    expect([readText(here), readText(there)]).toEqual([settled, settled]);
    expect(toDigest(here)).toBe(toDigest(there));
    expect(settle(here, settled)).toEqual(new Uint8Array([0, 0]));
  });
});

/** What two people do without knowing of each other arrives at the server. */
function play(number: number): Together {
  const random = seededRandom(number);
  const clients = [101, 102].toSorted(() => random() - 0.5);
  const together = openTogether(structureSource, 2, { clients });
  for (let step = 0; step < 5; step++) {
    const index = Math.floor(random() * 2);
    const { editor } = together.members[index]?.session ?? {};
    const flow = editor?.store.getState().flow;
    const edit = flow && anyStructureEdit({ flow, random, mark: String(step), hasSameNames: true });
    // Two new names of one thing are two values of a field, which the server leaves to editors.
    if (edit && !(edit.type === "rename" && index === 0)) editor?.dispatch([edit]);
  }
  arriveUnsettled(together);
  return together;
}

describe("property: what the server settles", () => {
  it("can be read, and an editor that joins later changes nothing", { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(fc.nat(), (number) => {
        const { server } = play(number);
        settle(server, structureSource);
        const text = readText(server);
        expectReadable(text);
        const later = openTogether(text, 1, { state: Y.encodeStateAsUpdate(server) });
        later.settle();
        expect(later.texts()).toEqual([text, text]);
        expect(toDigest(later.server)).toBe(toDigest(server));
      }),
      { numRuns: cases, seed },
    );
  });

  it("is what editors settle at the same time", { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(fc.nat(), (number) => {
        const together = play(number);
        const { server, members } = together;
        const unsettled = Y.encodeStateAsUpdate(server);
        settle(server, structureSource);
        const settled = readText(server);
        for (const { fromServer, document } of members) {
          fromServer.length = 0;
          document.apply(unsettled);
          fromServer.push(Y.encodeStateAsUpdate(server));
        }
        together.settle();
        for (const text of together.texts()) expect(text).toBe(settled);
      }),
      { numRuns: cases, seed },
    );
  });
});
