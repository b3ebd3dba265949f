import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { toLocalCopy } from "../save/local-copy";
import { LiveServer, loseConnection, type Page } from "../testing/live-server";
import { openField } from "../testing/open-together";
import { addAgent, removeAgent } from "../testing/structure-edits";

const source = `name: Shared
agents:
  a: { model: "demo:writer", instructions: "Begin" }
  b: { model: "demo:writer", instructions: "Other" }
  c: { model: "demo:writer" }
swarm:
  type: workflow
  flow: a >> b >> c
`;
const server = new LiveServer();
beforeAll(() => server.start());
afterAll(() => server.end());

const rename = (from: string, to: string): Edit => ({ type: "rename", from, to });
const textOf = ({ session }: Page): string => session.editor.store.getState().text;

function type({ session }: Page, agent: string, letters: string): void {
  const field = openField(session, (value) => ({ type: "set-agent-field", name: agent, field: "instructions", value }));
  for (const letter of letters) field.type(letter);
  field.stop();
}

/** Ann leaves with what the browser keeps, someone else goes on, and she returns. Returns the text that both have. */
async function returnLater(
  before: (ann: Page, bob: Page) => unknown,
  meanwhile: (bob: Page) => void,
  isOffline: boolean,
) {
  const { id, ann, bob } = await server.openTwo(source);
  if (isOffline) {
    await loseConnection(ann);
  }
  // No save is answered before the page is left.
  ann.session.autosave.stop();
  await before(ann, bob);
  const copy = toLocalCopy(ann.session);
  ann.close();
  meanwhile(bob);
  await bob.session.autosave.flush();
  const again = await server.open(id, copy);
  await expect.poll(() => again.session.live.store.getState().status).toBe("together");
  await expect.poll(async () => new Set([textOf(again), textOf(bob), await server.getSource(id)]).size).toBe(1);
  const { document, problems } = bob.session.editor.store.getState();
  expect(document.broken, textOf(bob)).toBe(false);
  expect(problems.filter(({ severity, code }) => severity === "error" && code !== "unknown-provider")).toEqual([]);
  return { text: textOf(bob), again, bob };
}

describe("who reloads while others type", () => {
  it("has each letter once", async () => {
    const { text } = await returnLater(
      async (ann, bob) => {
        type(ann, "a", " mine");
        type(bob, "b", " one two");
        await expect.poll(() => textOf(ann)).toContain("Other one two");
        await expect.poll(() => textOf(bob)).toContain("Begin mine");
      },
      (bob) => type(bob, "b", " three"),
      false,
    );
    expect(text).toContain('instructions: "Begin mine"');
    expect(text).toContain('instructions: "Other one two three"');
  });
  it("has each letter once where the user had no access for a moment", async () => {
    const { text } = await returnLater(
      async (ann, bob) => {
        type(bob, "a", " one two");
        await expect.poll(() => textOf(ann)).toContain("one two");
        type(ann, "a", " mine");
        await expect.poll(() => textOf(bob)).toContain("mine");
        ann.disconnect();
        type(ann, "a", " late");
      },
      (bob) => type(bob, "a", " three"),
      false,
    );
    for (const word of ["one two", "mine", "late", "three"]) expect(text.split(word), text).toHaveLength(2);
  });
  it("does not bring back what they deleted", async () => {
    const { text } = await returnLater(
      async (ann, bob) => {
        type(ann, "a", " mine");
        await expect.poll(() => textOf(bob)).toContain("Begin mine");
      },
      ({ session }) =>
        session.editor.dispatch([{ type: "set-agent-field", name: "a", field: "instructions", value: "Begin" }]),
      false,
    );
    expect(text).toBe(source);
  });
});

it("what is typed before the document is open again replaces nothing that others have written in the field", async () => {
  const { id, ann, bob } = await server.openTwo(source);
  await loseConnection(ann);
  ann.session.autosave.stop();
  type(ann, "b", " more");
  const copy = toLocalCopy(ann.session);
  ann.close();
  bob.session.editor.dispatch([{ type: "set-agent-field", name: "a", field: "instructions", value: "Please begin" }]);
  const again = await server.open(id, copy, { isConnected: false });
  again.session.editor.dispatch([{ type: "set-agent-field", name: "a", field: "instructions", value: "Begin now" }]);
  again.connect();
  await expect.poll(() => textOf(bob)).toContain('"Please begin now"');
  await expect.poll(() => textOf(again)).toBe(textOf(bob));
  expect(textOf(bob)).toContain('"Other more"');
});

describe("what someone did offline before the page was closed is merged with what others did", () => {
  it.each<[string, Edit[], Edit, flow: RegExp]>([
    ["deletes an agent that they rename", [removeAgent("b")], rename("b", "bert"), /flow: a >> c\n/],
    ["renames an agent that they delete", [rename("b", "anna")], removeAgent("b"), /flow: a >> c\n/],
    ["renames an agent that they rename", [rename("b", "anna")], rename("b", "bert"), /flow: a >> (anna|bert) >> c\n/],
    [
      "inserts two agents where they insert one",
      [addAgent("x", "a"), addAgent("y", "a")],
      addAgent("x", "a"),
      /flow: a >> (?=.*\bx >>)(?=.*x_\d+ >>)(?=.*y >>).* b >> c\n/,
    ],
  ])("who %s", async (_, edits, other, flow) => {
    const { text } = await returnLater(
      (ann) => edits.map((edit) => expect(ann.session.editor.dispatch([edit])).toBeNull()),
      (bob) => expect(bob.session.editor.dispatch([other])).toBeNull(),
      true,
    );
    expect(text).toMatch(flow);
  });

  it("who deletes an agent in which they type, which they are shown", async () => {
    const { text, bob } = await returnLater(
      (ann) => ann.session.editor.dispatch([removeAgent("a")]),
      (bob) => type(bob, "a", " more"),
      true,
    );
    expect(text).toContain("  flow: b >> c\n");
    expect(bob.session.live.store.getState().lost).toMatchObject([{ owner: "a", text: "Begin more" }]);
  });

  it("and is shown where others deleted it", async () => {
    const { again } = await returnLater(
      (ann) => type(ann, "a", " mine"),
      (bob) => bob.session.editor.dispatch([removeAgent("a")]),
      true,
    );
    expect(again.session.live.store.getState().lost).toMatchObject([{ owner: "a", text: "Begin mine" }]);
  });
});

it("who saved alone before the others were joined has each letter once", async () => {
  const { id, ann, bob } = await server.openTwo(source);
  ann.session.autosave.stop();
  await loseConnection(ann);
  type(ann, "a", " mine");
  const copy = toLocalCopy(ann.session);
  ann.close();
  const again = await server.open(id, copy, { isConnected: false });
  again.setLive(false);
  again.connect();
  await expect.poll(() => server.getSource(id)).toContain("Begin mine");
  again.setLive(true);
  await expect.poll(() => textOf(bob)).toContain("Begin mine");
  type(bob, "b", " theirs");
  await expect.poll(() => textOf(again)).toContain("Other theirs");
  for (const page of [again, bob]) expect(textOf(page).match(/mine/g)).toHaveLength(1);
});

it("who left with a text that someone else rewrote, too, is asked for one of the whole texts", async () => {
  const rewrite = ({ session }: Page, value: string): void =>
    void session.editor.dispatch([{ type: "set-agent-field", name: "a", field: "instructions", value }]);
  const { again } = await returnLater(
    (ann) => rewrite(ann, "Ann has rewritten it."),
    (bob) => rewrite(bob, "A text of Bob."),
    true,
  );
  const [twin, ...others] = again.session.live.store.getState().twins;
  expect(others).toEqual([]);
  expect(twin?.parts.map(({ text }) => text).toSorted()).toEqual(["A text of Bob.", "Ann has rewritten it."]);
  expect(twin?.both?.split("\n").toSorted()).toEqual(["A text of Bob.", "Ann has rewritten it."]);
});

it("who has access again goes on in the same document", async () => {
  const { id, ann, bob } = await server.openTwo(source);
  type(ann, "a", " mine");
  await expect.poll(() => textOf(bob)).toContain("mine");
  ann.disconnect();
  type(ann, "a", " late");
  type(bob, "a", " theirs");
  ann.connect();
  await expect.poll(() => ann.session.live.store.getState().status).toBe("together");
  await expect.poll(async () => new Set([textOf(ann), textOf(bob), await server.getSource(id)]).size).toBe(1);
  for (const word of ["mine", "late", "theirs"]) expect(textOf(bob).split(word), textOf(bob)).toHaveLength(2);
  await expect.poll(() => ann.session.autosave.store.getState().phase).toBe("saved");
});
