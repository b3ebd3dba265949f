import fc from "fast-check";
import { expect, it } from "vitest";
import { emptyLayout } from "../../flow/edit";
import { applyChanges } from "../../flow/text-change";
import { applyEdit } from "../apply-edit";
import { formRefusal } from "../edit/check-result";
import { undone } from "../edit/edits.arbitrary";
import { readSource } from "../read-source";
import { anyGesture, type Gesture, textEdits, toEdit } from "./flow-edit.arbitrary";
import { anyFlowFile } from "./flow-file.arbitrary";
import { findMissingEffect, findOtherChange, mayTakeAlong } from "./kept.arbitrary";
import type { WrittenFile } from "./write-yaml.arbitrary";

/** A longer run: `FUZZ_CASES=100000 FUZZ_SEED=1`. */
const cases = Number(process.env.FUZZ_CASES ?? 2000);
const seed = Number(process.env.FUZZ_SEED ?? 20_261_125);

type Outcome = "invalid file" | "nothing to edit" | "refused" | "nothing changed" | "done";

/** Applies one edit to one file; throws when it changes more or less than it names. */
function runCase({ text, comments }: WrittenFile, gesture: Gesture): Outcome {
  const before = readSource(text);
  if (before.broken || before.unreadableRanges.length > 0) return "invalid file";
  const edit = toEdit(before, gesture);
  if (!edit) return "nothing to edit";
  const fail = (reason: string, after = "") => {
    throw new Error(`${reason}\n${JSON.stringify(edit)}\n--- before\n${text}\n--- after\n${after}`);
  };
  const result = applyEdit(before, emptyLayout, edit);
  if (!result.ok) {
    const { code, message } = result.problem;
    if (message.includes(formRefusal)) fail(`refused: ${message}`);
    // An edit that loses what it changes half-way finds it no more.
    if (code === "unknown-name" && edit.type === "set-agent-field" && before.flow.agents.has(edit.name))
      fail(`refused: ${message}`);
    return "refused";
  }
  const newText = applyChanges(text, result.changes);
  if (undone(text, newText, result.changes) !== text) fail("undone, the bytes differ", newText);
  const after = readSource(newText);
  const isOwnMistake = edit.type === "set-flow-text";
  if (after.broken || (after.unreadableRanges.length > 0 && !isOwnMistake)) fail("cannot be read", newText);
  const missing = findMissingEffect(edit, before, after) ?? findOtherChange(edit, before, after);
  if (missing !== null) fail(missing, newText);
  for (const [word, comment] of comments)
    if (!newText.includes(word) && !mayTakeAlong(comment, edit, before, after))
      fail(`the comment ${word} of ${comment.path.join(" / ")} (${comment.place}) is gone`, newText);
  return newText === text ? "nothing changed" : "done";
}

it(`fuzzer: ${cases} edits of files in every style of YAML change what they name and nothing else`, () => {
  const outcomes = new Map<string, number>();
  const count = (key: string) => outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
  fc.assert(
    fc.property(anyFlowFile, anyGesture, (file, gesture) => {
      const outcome = runCase(file, gesture);
      count(outcome);
      count(`${gesture.type} ${outcome}`);
    }),
    { numRuns: cases, seed },
  );
  const share = (outcome: Outcome): number => (outcomes.get(outcome) ?? 0) / cases;
  // Most cases must reach an edit, and every edit must take place.
  expect(share("invalid file")).toBeLessThan(0.03);
  expect(share("done")).toBeGreaterThan(0.6);
  for (const type of textEdits) expect(outcomes.get(`${type} done`) ?? 0).toBeGreaterThan(0);
}, 600_000);
