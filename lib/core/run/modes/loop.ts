import { isTrue } from "../../condition/values";
import type { Json } from "../../flow/flow";
import type { NodeResult } from "../events/event-recorder";
import { addUsage, noUsage } from "../events/usage";
import { toPlainText } from "../loop/instructions";
import type { LoopPlanNode } from "../plan/plan-node";
import {
  childPath,
  type Engine,
  positionInside,
  type RunPosition,
  recordNode,
  toFailure,
  toParentOutcome,
} from "../scope/engine";
import { evaluate } from "./branch";
import { runNode } from "./registry";

/** An answer that holds this ends the loop; it is taken out of the text. */
const breakMark = "[BREAK]";

/** Why a loop ended. */
type LoopEnd = "done" | "break" | "limit";

/**
 * Runs its body again and again, each round on the text before it, or for each item of a list on that item. Each round
 * is a node. A failure ends it, and what was said until then is kept; so does its limit, which is noted.
 */
export function runLoop(engine: Engine, stage: LoopPlanNode, place: RunPosition, input: string): Promise<NodeResult> {
  const { name } = stage;
  const path = childPath(place, name);
  return recordNode(engine, { parent: place.parent, path, kind: "loop", name, input }, async (id) => {
    await engine.recorder.settled();
    const inner = positionInside(place, id, path);
    const items = stage.items && readItems(engine, place, stage, input);
    if (typeof items === "string") return toFailure({ code: "condition", message: items });
    const answers: string[] = [];
    let [text, usage, simulated] = [input, noUsage, false];
    const end = (result: Pick<NodeResult, "status" | "error">, ended: LoopEnd): NodeResult => {
      if (ended === "limit")
        engine.recorder.note(
          id,
          "loop-limit",
          `"${name}" ended at its limit of ${stage.limit} rounds. Raise its limit to go on.`,
        );
      const output = items ? answers.join(stage.separator) : text;
      return { ...result, output, usage, simulated, metadata: { rounds: answers.length, ended } };
    };
    for (let number = 1; ; number++) {
      const item = items?.[number - 1];
      const wanted = wantsRound(engine, { ...place, loopRound: { number } }, stage, { text, number, items });
      if (typeof wanted === "string") return end(toFailure({ code: "condition", message: wanted }), "done");
      if (!wanted) return end({ status: "SUCCESS" }, "done");
      if (number > stage.limit) return end({ status: "SUCCESS" }, "limit");
      const given = item === undefined ? text : toPlainText(item);
      const round = { number, ...(item !== undefined && { item }) };
      const result = await runRound(engine, stage, { ...inner, loopRound: round }, given);
      usage = addUsage(usage, result.usage);
      simulated ||= result.simulated;
      const said = result.output.replaceAll(breakMark, "");
      if (result.status !== "SUCCESS") {
        if (said !== "") text = said;
        return end(toParentOutcome(place, result), "done");
      }
      text = said;
      answers.push(said);
      if (said !== result.output) return end({ status: "SUCCESS" }, "break");
    }
  });
}

interface Round {
  text: string;
  number: number;
  items: readonly Json[] | undefined;
}

/** Whether another round is wanted, limits apart; a text: why that cannot be said. */
function wantsRound(
  engine: Engine,
  place: RunPosition,
  stage: LoopPlanNode,
  { text, number, items }: Round,
): boolean | string {
  if (items) return number <= items.length;
  if (stage.count !== undefined) return number <= stage.count;
  if (!stage.condition) return false;
  const found = evaluate(engine, place, stage.condition, text);
  return found.ok ? isTrue(found.value) : `The condition of "${stage.name}" failed: ${found.message}`;
}

function readItems(engine: Engine, place: RunPosition, stage: LoopPlanNode, input: string): readonly Json[] | string {
  if (!stage.items) return [];
  const found = evaluate(engine, place, stage.items, input);
  if (!found.ok) return `The list of "${stage.name}" could not be read: ${found.message}`;
  if (isList(found.value)) return found.value;
  return `"${stage.name}" needs a list to go through; found ${JSON.stringify(found.value).slice(0, 80)}. Write e.g. for_each: json(input).`;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

function runRound(engine: Engine, stage: LoopPlanNode, place: RunPosition, input: string): Promise<NodeResult> {
  const number = place.loopRound?.number ?? 1;
  const path = `${place.path}#${number}`;
  const step = { parent: place.parent, path, kind: "round", name: `Round ${number}`, input } as const;
  return recordNode(engine, step, (id) => runNode(engine, stage.body, positionInside(place, id, path), input));
}
