import { expect, test } from "vitest";
import { giveWay } from "./give-way";

const base = `name: Mine
agents:
  writer: { model: "demo:writer", instructions: "Begin", max_steps: 5 }
  b: { model: "demo:writer" }
swarm:
  type: workflow
  flow: writer >> b
`;
const rename = (name: string): string => base.replaceAll("writer:", `${name}:`).replace("writer >>", `${name} >>`);

test.each<[what: string, mine: string, theirs: string, text: string, given: object[]]>([
  [
    "a number",
    base.replace("5", "3"),
    base.replace("5", "17"),
    base.replace("5", "17"),
    [{ key: "max_steps", isName: false, kept: "17", dropped: "3" }],
  ],
  [
    "a model, beside a text that only one changed",
    base.replace("demo:writer", "demo:critic").replace("Begin", "Begin more"),
    base.replace("demo:writer", "demo:planner"),
    base.replace("demo:writer", "demo:planner").replace("Begin", "Begin more"),
    [{ key: "model", isName: false, kept: '"demo:planner"', dropped: '"demo:critic"' }],
  ],
  [
    "a name, with where it is used",
    rename("author"),
    rename("scribe"),
    rename("scribe"),
    [{ key: "writer", isName: true, kept: "scribe", dropped: "author" }],
  ],
])("%s that both changed is theirs", (_, mine, theirs, text, given) => {
  expect(giveWay(base, mine, theirs)).toEqual({ base: theirs, mine: text, given });
});

test.each([
  ["values that both changed alike", base.replace("5", "3"), base.replace("5", "3")],
  ["values that one changed", base.replace("5", "3"), base.replace("Begin", "Start")],
  ["texts that both changed", base.replace("Begin", "Begin a"), base.replace("Begin", "Begin b")],
  ["a text that cannot be read", `${base}agents: [`, base.replace("5", "3")],
])("%s stay as they are", (_, mine, theirs) => {
  expect(giveWay(base, mine, theirs)).toEqual({ base, mine, given: [] });
});
