import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { completeLine } from "./complete-line";

const names = ["planner", "writer", "a|b"].map((name) => ({ name, about: "Agent, demo:x" }));
const isFree = (name: string) => !names.some((one) => one.name === name);

/** Offers at `^`, and what they would take the place of. */
function completeAt(text: string, explicit = false) {
  const pos = text.indexOf("^");
  const doc = text.replace("^", "");
  const complete = completeLine(
    () => ({ names, isFree }),
    () => {},
  );
  const result = complete(new CompletionContext(EditorState.create({ doc }), pos, explicit));
  return (
    result && [doc.slice(result.from, result.to), result.options.map(({ label, detail }) => `${label}: ${detail}`)]
  );
}

describe("completeLine", () => {
  const planner = "planner: Agent, demo:x";
  const writer = "writer: Agent, demo:x";
  const quoted = '"a|b": Agent, demo:x';

  it.each([
    ["pl^", "pl", [planner, writer, quoted, "pl: New agent"]],
    ["planner >> wr^", "wr", [writer, quoted, "wr: New agent"]],
    ["planner >> (wri^ter | x)", "writer", [writer, quoted]],
    ['planner >> "a^', '"a', [writer, quoted, "a: New agent"]],
    ['planner >> (writer | "a|b" | my own^)', "my own", ["my own: New agent"]],
  ])("offers names that the line does not hold, and a new one: %s", (text, typed, labels) => {
    expect(completeAt(text)).toEqual([typed, labels]);
  });

  it("waits to be asked where nothing was typed", () => {
    expect(completeAt("planner >> ^")).toBeNull();
    expect(completeAt("planner >> ^", true)).toEqual(["", [writer, quoted]]);
  });
});
