import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { keepFlow } from "../save/emptying";
import { toLocalCopy } from "../save/local-copy";
import type { Session } from "../session";
import { LiveServer, loseConnection, type Page } from "../testing/live-server";
import { openField } from "../testing/open-together";
import { addAgent, removeAgent, threeAgents } from "../testing/structure-edits";
import { keepText } from "./keep-text";

const source = `name: Shared
agents:
  a:
    model: "demo:writer"
    instructions: |
      Begin
  b: { model: "demo:writer", instructions: "Read." }
swarm: { type: workflow, flow: a >> b }
`;
const server = new LiveServer();
beforeAll(() => server.start());
afterAll(() => server.end());

const setInstructions =
  (name: string) =>
  (value: string): Edit => ({ type: "set-agent-field", name, field: "instructions", value });
const textOf = ({ editor }: Session): string => editor.store.getState().text;

async function openAlone(id: string): Promise<Page> {
  const page = await server.open(id);
  await expect.poll(() => page.session.live.store.getState().status).toBe("alone");
  return page;
}

/** For someone who is alone. */
async function goOffline(page: Page): Promise<void> {
  page.setOnline(false);
  await expect.poll(() => page.session.live.store.getState().status).toBe("off");
}

function type({ session }: Page, letters: string, agent = "a"): void {
  const field = openField(session, setInstructions(agent));
  for (const letter of letters) field.type(letter);
  field.stop();
}

/** Ann empties a flow, and Bob opens it before she has answered; `isReloaded`: she reloads the page before and after that. */
async function emptyAndMeet(isReloaded: boolean): Promise<{ id: string; ann: Page; bob: Page }> {
  const id = await server.createFlow(source);
  let ann = await openAlone(id);
  const reload = async (): Promise<void> => {
    const copy = toLocalCopy(ann.session);
    ann.close();
    ann = await server.open(id, copy);
  };
  ann.session.editor.typeText("");
  if (isReloaded) await reload();
  expect(ann.session.autosave.store.getState().phase).toBe("emptying");
  const bob = await server.open(id);
  await expect.poll(() => bob.session.live.store.getState().status).toBe("together");
  if (isReloaded) {
    type(bob, " early");
    await bob.session.autosave.flush();
    await reload();
  }
  await expect.poll(() => ann.session.live.store.getState().status).toBe("together");
  expect([textOf(ann.session), ann.session.autosave.store.getState().phase]).toEqual(["", "emptying"]);
  expect(await server.getSource(id)).toBe(textOf(bob.session));
  return { id, ann, bob };
}

it.each([false, true])(
  "a user who empties a flow is asked though someone opens it, and keeps it: %s",
  async (isReloaded) => {
    const { id, ann, bob } = await emptyAndMeet(isReloaded);
    type(bob, " theirs");
    await bob.session.autosave.flush();
    expect(textOf(ann.session)).toBe("");
    keepFlow(ann.session);
    const expected = isReloaded ? "Begin early theirs\n" : "Begin theirs\n";
    await expect.poll(() => textOf(ann.session)).toContain(expected);
    await expect.poll(() => server.getSource(id)).toBe(textOf(ann.session));
    expect(textOf(bob.session)).toBe(textOf(ann.session));
  },
);

it("a user who empties a flow is asked though someone opens it, and agrees", async () => {
  const { id, ann, bob } = await emptyAndMeet(false);
  ann.session.autosave.apply({ type: "emptying-agreed" });
  await expect.poll(() => server.getSource(id)).toBe("");
  expect(textOf(bob.session)).toBe("");
});

it("a flow that someone else changed while a user was away is not emptied", async () => {
  const { id, ann, bob } = await emptyAndMeet(true);
  ann.session.autosave.apply({ type: "emptying-agreed" });
  expect(textOf(ann.session)).toContain("Begin early\n");
  await expect.poll(() => server.getSource(id)).toBe(textOf(ann.session));
  expect(textOf(bob.session)).toBe(textOf(ann.session));
});

it("who was alone and offline is asked which of two texts to keep", async () => {
  const id = await server.createFlow(source);
  const ann = await openAlone(id);
  await goOffline(ann);
  type(ann, " mine");
  await expect.poll(() => ann.session.autosave.store.getState().phase).toBe("offline");
  const bob = await openAlone(id);
  type(bob, " theirs");
  await bob.session.autosave.flush();
  ann.setOnline(true);
  await expect.poll(() => textOf(bob.session)).toContain("Begin mine theirs\n");
  await expect.poll(() => ann.session.live.store.getState().twins).toHaveLength(1);
  const [twin] = ann.session.live.store.getState().twins;
  if (!twin) throw new Error("Two texts are expected.");
  expect(twin).toMatchObject({
    owner: "a",
    parts: [
      { text: "Begin mine", name: null },
      { text: "Begin theirs", name: "the flow" },
    ],
  });
  expect(keepText(ann.session, twin, twin.parts[0].text)).toBeNull();
  await expect.poll(() => textOf(bob.session)).toContain("Begin mine\n");
});

it("who was alone and offline has what both changed of the members", async () => {
  const id = await server.createFlow(threeAgents);
  const ann = await openAlone(id);
  await goOffline(ann);
  ann.session.editor.dispatch([addAgent("agent")]);
  await expect.poll(() => ann.session.autosave.store.getState().phase).toBe("offline");
  const bob = await openAlone(id);
  bob.session.editor.dispatch([addAgent("agent")]);
  bob.session.editor.dispatch([removeAgent("b")]);
  await bob.session.autosave.flush();
  ann.setOnline(true);
  for (const { session } of [ann, bob])
    await expect.poll(() => textOf(session)).toMatch(/flow: a >> c >> (agent >> agent_\d\d|agent_\d\d >> agent)\n/);
  expect(textOf(ann.session)).toBe(textOf(bob.session));
  expect(textOf(bob.session)).toMatch(/^ {2}agent:\n/m);
  expect(textOf(bob.session)).toMatch(/^ {2}agent_\d\d:\n/m);
});

it("what the server has lost is found by comparing, while the connection is open", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const { ann, bob } = await server.openTwo(source);
    const arriveAgain = ann.loseSent();
    type(ann, " lost");
    arriveAgain();
    type(bob, "Theirs", "b");
    await expect.poll(() => textOf(ann.session)).toContain("Theirs");
    expect(textOf(bob.session)).not.toContain("lost");
    vi.advanceTimersByTime(15_000);
    await expect.poll(() => textOf(bob.session)).toContain("Begin lost\n");
  } finally {
    vi.useRealTimers();
  }
});

it.each(["the last letters were saved", "nothing was saved", "the last letters did not arrive"])(
  "who returns after the shared document began anew has each text once: %s",
  async (saved) => {
    const { id, ann, bob } = await server.openTwo(source);
    // As where the answers to saves are lost with the connection.
    if (saved !== "the last letters were saved") ann.session.autosave.stop();
    type(ann, " one two");
    await expect.poll(() => textOf(bob.session)).toContain("Begin one two\n");
    if (saved === "the last letters were saved") await ann.session.autosave.flush();
    if (saved === "the last letters did not arrive") ann.loseSent();
    type(ann, " or so");
    await loseConnection(ann);
    type(ann, " three");
    type(bob, "Theirs", "b");
    await expect.poll(() => server.getSource(id)).toContain("Theirs");
    await server.stop();
    await server.beginAnew(id);
    await server.start();
    ann.setOnline(true);
    bob.setOnline(true);
    await expect.poll(() => textOf(bob.session)).toContain("three");
    expect(textOf(bob.session)).toContain("      Begin one two or so three\n");
    await expect.poll(() => textOf(ann.session)).toBe(textOf(bob.session));
    expect(textOf(ann.session)).toContain("Theirs");
    await expect.poll(() => server.getSource(id)).toBe(textOf(bob.session));
  },
);

const write = ({ session }: Page, value: string): void => {
  expect(session.editor.dispatch([setInstructions("b")(value)])).toBeNull();
};

it("what is saved by requests while another comes is there once", async () => {
  const id = await server.createFlow(source);
  const ann = await openAlone(id);
  await goOffline(ann);
  const bob = await server.open(id);
  await expect.poll(() => bob.session.live.store.getState().status).not.toBe("off");
  ann.setAnswers(true, 60);
  ann.setOnline(true);
  const letters = [..." one two three four five six seven"];
  for (const letter of letters) {
    type(ann, letter);
    void ann.session.autosave.flush();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await expect.poll(() => textOf(bob.session)).toContain(`Begin${letters.join("")}\n`);
  await expect.poll(() => textOf(ann.session)).toBe(textOf(bob.session));
});

it("what was saved without an answer is there once, wherever someone else writes", async () => {
  const id = await server.createFlow(source);
  const ann = await openAlone(id);
  ann.setAnswers(false);
  write(ann, "Read. Mine");
  expect(await ann.session.autosave.flush()).toBe(false);
  await goOffline(ann);
  write(ann, "Read. Mine, more");
  const bob = await server.open(id);
  await expect.poll(() => bob.session.live.store.getState().status).not.toBe("off");
  write(bob, "Read. Mine Theirs");
  await bob.session.autosave.flush();
  ann.setAnswers(true);
  ann.setOnline(true);
  await expect.poll(() => textOf(bob.session)).toContain("more");
  await expect.poll(() => textOf(ann.session)).toBe(textOf(bob.session));
  expect(textOf(bob.session)).toMatch(/Read\. Mine(?:, more Theirs| Theirs, more)"/);
});

it("a connection that begins anew, as after access was lost, brings nothing twice", async () => {
  const { ann, bob } = await server.openTwo(source);
  ann.session.autosave.stop();
  write(ann, "Read. Mine");
  await expect.poll(() => textOf(bob.session)).toContain("Mine");
  ann.disconnect();
  write(bob, "Read. Mine Theirs");
  ann.connect();
  await expect.poll(() => textOf(ann.session)).toContain("Theirs");
  await expect.poll(() => textOf(ann.session)).toBe(textOf(bob.session));
  expect(textOf(bob.session)).toContain('"Read. Mine Theirs"');
});

it("who was alone and offline is not asked where the others are there, whichever is quicker", async () => {
  const id = await server.createFlow(source);
  const ann = await openAlone(id);
  const dialogs = new Set<unknown>();
  ann.session.view.subscribe(({ dialog }) => dialogs.add(dialog));
  await goOffline(ann);
  write(ann, "Mine");
  const bob = await server.open(id);
  await expect.poll(() => bob.session.live.store.getState().status).not.toBe("off");
  write(bob, "Theirs");
  await bob.session.autosave.flush();
  ann.setOnline(true);
  await ann.session.autosave.flush();
  await expect.poll(() => ann.session.live.store.getState().status).toBe("together");
  expect([...dialogs]).not.toContain("conflict");
});

/** Someone comes, who sees the flow, and Ann keeps it. */
async function meetAndKeep(id: string, ann: Page): Promise<void> {
  const bob = await server.open(id);
  for (const { session } of [ann, bob]) await expect.poll(() => session.live.store.getState().status).toBe("together");
  expect([textOf(bob.session), ann.session.autosave.store.getState().phase]).toEqual([source, "emptying"]);
  keepFlow(ann.session);
  expect([textOf(ann.session), await server.getSource(id)]).toEqual([source, source]);
}

it("a flow that undo emptied stays for someone who comes", async () => {
  const id = await server.createFlow("");
  const ann = await openAlone(id);
  ann.session.editor.typeText(source);
  await ann.session.autosave.flush();
  ann.session.editor.undo();
  expect(ann.session.autosave.store.getState().phase).toBe("emptying");
  await meetAndKeep(id, ann);
});

it("a flow that is emptied stays for someone who comes, also where another step came after the emptying", async () => {
  const id = await server.createFlow(source);
  const ann = await openAlone(id);
  ann.session.editor.typeText("");
  ann.session.editor.dispatch([{ type: "set-direction", direction: "down" }]);
  await meetAndKeep(id, ann);
});

/** As the server answers from now on: the role of the user was changed. */
function denyWriting({ live }: Session): void {
  live.store.subscribe(({ self }) => {
    if (self?.canWrite) live.store.setState({ self: { ...self, canWrite: false } });
  });
}

it("who wrote offline and may no longer change the flow keeps the text, beside those who edit it together", async () => {
  const id = await server.createFlow(source);
  const ann = await openAlone(id);
  await goOffline(ann);
  type(ann, " mine");
  const written = textOf(ann.session);
  const bob = await server.open(id);
  type(bob, " theirs");
  await bob.session.autosave.flush();
  const { live, accessPort } = ann.session;
  denyWriting(ann.session);
  const check = vi.spyOn(accessPort, "check");
  ann.setOnline(true);
  await expect.poll(() => check.mock.calls.length).toBe(1);
  expect(textOf(ann.session)).toBe(written);
  expect(written).toContain("Begin mine");
  expect(live.store.getState().status).not.toBe("together");
});

it("who wrote nothing and may no longer change the flow sees what those write who edit it together", async () => {
  const id = await server.createFlow(source);
  const ann = await openAlone(id);
  await goOffline(ann);
  const bob = await server.open(id);
  type(bob, " theirs");
  await bob.session.autosave.flush();
  denyWriting(ann.session);
  ann.setOnline(true);
  await expect.poll(() => textOf(ann.session)).toContain("Begin theirs");
  expect(ann.session.live.store.getState().status).toBe("together");
});
