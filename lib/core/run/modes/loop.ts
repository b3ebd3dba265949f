import { z } from "zod";
import { type Condition, namesIn } from "../../condition/condition";
import { isTrue } from "../../condition/values";
import type { Json } from "../../flow/flow";
import { isJsonList, parseJsonAs } from "../../flow/parse-json";
import type { NodeResult } from "../events/event-recorder";
import { toPlainText } from "../loop/instructions";
import type { PlanNodeOf } from "../plan/plan-node";
import { type NodeRun, outputsAtStart, positionInside, type RunPosition } from "../scope/engine";
import { ExpenseTotal, toFailure, toParentOutcome } from "../scope/node-result";
import { recordNamedNode, recordNode } from "../scope/record-node";
import { evaluateAt } from "./condition-at-position";

/** An answer that contains this mark ends the loop; the mark is removed from the text. */
const breakMark = "[BREAK]";

/**
 * Runs its body repeatedly, each round on the output of the one before, or on the next item of a list. Each round is a
 * node. A failure ends the loop and keeps the output so far; so does its limit, which is noted.
 */
export const runLoop = (run: NodeRun<PlanNodeOf<"loop">>): Promise<NodeResult> =>
  recordNamedNode(run, async (position, id) => {
    const { engine, planNode: loop, input } = run;
    const items = loop.items && readItems({ ...run, position }, loop.items, id);
    if (typeof items === "string") return toFailure({ code: "condition", message: items });
    const answers: string[] = [];
    const total = new ExpenseTotal();
    let text = input;
    const end = (result: Pick<NodeResult, "status" | "error">, ended: "done" | "break" | "limit"): NodeResult => {
      const output = items ? answers.join(loop.separator) : text;
      return { ...result, output, ...total, metadata: { rounds: answers.length, ended } };
    };
    for (let number = 1; ; number++) {
      const item = items?.[number - 1];
      const hasRound = needsRound({ ...run, position }, { text, number, items });
      if (typeof hasRound === "string") return end(toFailure({ code: "condition", message: hasRound }), "done");
      if (!hasRound) return end({ status: "SUCCESS" }, "done");
      if (number > loop.limit) {
        const message = `"${loop.name}" ended at its limit of ${loop.limit} rounds. Raise its limit to go on.`;
        engine.recorder.note(id, "loop-limit", message);
        return end({ status: "SUCCESS" }, "limit");
      }
      const loopRound = { number, ...(item !== undefined && { item }) };
      const roundInput = item === undefined ? text : toPlainText(item);
      const result = await runRound({ ...run, position: { ...position, loopRound }, input: roundInput }, number);
      total.add(result);
      const answer = result.output.replaceAll(breakMark, "");
      if (result.status !== "SUCCESS") {
        if (answer !== "") text = answer;
        return end(toParentOutcome(position, result), "done");
      }
      text = answer;
      answers.push(answer);
      if (answer !== result.output) return end({ status: "SUCCESS" }, "break");
    }
  });

/** Whether there is another round, apart from the limit; a text: why that cannot be decided. A round that was begun is not decided again. */
function needsRound(
  { engine, planNode: { name, count, condition }, position }: NodeRun<PlanNodeOf<"loop">>,
  { text, number, items }: { text: string; number: number; items: readonly Json[] | undefined },
): boolean | string {
  if (engine.options.journal?.find(toRoundPath(position, number), "round")) return true;
  if (items) return number <= items.length;
  if (count !== undefined) return number <= count;
  if (!condition) return false;
  const evaluation = evaluateAt(engine, { ...position, loopRound: { number } }, condition, text);
  return evaluation.ok ? isTrue(evaluation.value) : `The condition of "${name}" failed: ${evaluation.message}`;
}

/** The list, which is recorded where it depends on what other steps had produced. */
function readItems(
  { engine, planNode: { name }, position, input }: NodeRun<PlanNodeOf<"loop">>,
  items: Condition,
  id: number,
): readonly Json[] | string {
  const recorded = engine.options.journal?.find(position.path)?.decision;
  if (recorded != null) return parseJsonAs(recorded, z.array(z.json()));
  const list = evaluateItems({ engine, name, position, input }, items);
  if (typeof list !== "string" && namesIn(items).some(({ scope }) => scope === "outputs"))
    engine.recorder.decide(id, JSON.stringify(list));
  return list;
}

function evaluateItems(
  { engine, name, position, input }: Pick<NodeRun, "engine" | "position" | "input"> & { name: string },
  items: Condition,
): readonly Json[] | string {
  const outputs = outputsAtStart(engine, position.path);
  const evaluation = evaluateAt({ flow: engine.flow, outputs }, position, items, input);
  if (!evaluation.ok) return `The list of "${name}" could not be read: ${evaluation.message}`;
  if (isJsonList(evaluation.value)) return evaluation.value;
  return `"${name}" needs a list to go through; found ${JSON.stringify(evaluation.value).slice(0, 80)}. Write e.g. for_each: json(input).`;
}

const toRoundPath = ({ path }: RunPosition, number: number): string => `${path}#${number}`;

function runRound(
  { engine, planNode, position, input }: NodeRun<PlanNodeOf<"loop">>,
  number: number,
): Promise<NodeResult> {
  const path = toRoundPath(position, number);
  const start = { parent: position.parent, path, kind: "round", name: `Round ${number}`, input } as const;
  return recordNode(engine, start, (id) => engine.runNode(planNode.body, positionInside(position, id, path), input));
}
