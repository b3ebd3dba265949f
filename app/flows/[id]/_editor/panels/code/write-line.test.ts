import { describe, expect, it } from "vitest";
import { openEditor } from "../../state/testing/open-editor";
import { writeLane } from "./write-line";

const source = `agents:
  writer: { model: "demo:x" }
  critic: { model: "demo:x" }
loops:
  again: { body: writer, count: 2 }
swarm: { flow: again >> critic }
`;
const scope = { type: "lane", name: "again", lane: "body" } as const;

function write(line: string) {
  const editor = openEditor(source);
  const written = writeLane(editor.store.getState().flow, scope, line, "demo:y");
  const refusal = written.ok ? editor.dispatch(written.edits) : written.messages[0];
  return { editor, refusal, state: editor.store.getState() };
}

describe("the members of a lane, as they are written", () => {
  it("declares new names as agents, in one undo step", () => {
    const { editor, refusal, state } = write("writer >> tester");
    expect([refusal, state.flow.agents.get("tester")?.model]).toEqual([null, "demo:y"]);
    expect(state.text).toContain("body: writer >> tester");
    expect(state.flow.swarm.agents).toBeUndefined();
    editor.undo();
    expect(editor.store.getState().text).toBe(source);
  });

  it("declares no name that resembles another one", () => {
    const { state } = write("writter");
    expect([...state.flow.agents.keys()]).toEqual(["writer", "critic"]);
    expect(state.text).toContain("body: writter");
  });

  it("refuses what cannot be read, and empties a lane", () => {
    const { refusal, state } = write("writer >> (");
    expect([refusal, state.text]).toEqual([expect.stringContaining("("), source]);
    expect(write("").refusal).toBeNull();
  });
});
