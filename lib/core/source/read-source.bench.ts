import { bench, describe } from "vitest";
import { emptyLayout } from "../flow/edit";
import { applyChanges } from "../flow/text-change";
import { arrangeFlow } from "../layout/arrange-flow";
import { applyEdit } from "./apply-edit";
import { readSource } from "./read-source";

/** A flow file of about so many lines: five for each agent, ten agents to a stage. */
function writeLarge(lines: number): string {
  const names = Array.from({ length: Math.floor(lines / 5) }, (_, number) => `agent_${number}`);
  const agents = names.map(
    (name, number) =>
      `  ${name}:\n    model: demo:${name}\n    instructions: Do step ${number} and tell what you found.\n    tools: [calculator]\n    max_steps: ${1 + (number % 9)}\n`,
  );
  const stages = names.flatMap((_, number) =>
    number % 10 === 0 ? [`(${names.slice(number, number + 10).join(" | ")})`] : [],
  );
  return `name: Large\nagents:\n${agents.join("")}swarm:\n  type: workflow\n  flow: ${stages.join(" >> ")}\n`;
}

/** Types one character into the middle of a file again and again. */
function createTyping(text: string): () => void {
  const at = text.indexOf("Do step", text.length / 2);
  let document = readSource(text);
  let typed = false;
  return () => {
    typed = !typed;
    document = readSource(typed ? `${text.slice(0, at)}x${text.slice(at)}` : text, undefined, document);
    arrangeFlow(document.flow, emptyLayout);
    if (document.problems.length > 0) throw new Error("the file has no problems");
  };
}

/** Sets a field of an agent in the middle again and again, and reads the text that comes of it. */
function createEditing(text: string): () => void {
  const name = `agent_${Math.floor(text.split("\n").length / 10)}`;
  let document = readSource(text);
  let value = 10;
  return () => {
    value = value === 10 ? 11 : 10;
    const result = applyEdit(document, emptyLayout, { type: "set-agent-field", name, field: "max_steps", value });
    if (!result.ok) throw new Error(result.problem.message);
    document = readSource(applyChanges(document.text, result.changes), undefined, document);
  };
}

describe("a flow file of so many lines", () => {
  for (const lines of [500, 5000, 20_000]) {
    const text = writeLarge(lines);
    const [type, edit] = [createTyping(text), createEditing(text)];
    bench(`${lines}: read for the first time`, () => {
      readSource(text);
    });
    bench(`${lines}: one key typed, read, checked and arranged`, type);
    bench(`${lines}: one field set on the canvas, and read`, edit);
  }
});
