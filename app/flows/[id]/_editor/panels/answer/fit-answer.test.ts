import { expect, it } from "vitest";
import { fitAnswer } from "./fit-answer";

const area = { width: 1000, height: 600 };
/** The lower end of an answer, with its frame. */
const endOf = (answer: ReturnType<typeof fitAnswer>): number => (answer ? answer.y + 52 + answer.textHeight : 0);

it("leaves an answer alone that is clear of the controls", () => {
  expect(fitAnswer({ x: 300, y: 200 }, area, false)).toEqual({ x: 300, y: 200, width: 224, textHeight: 64 });
});

it("takes lines from a closed answer that comes near the lower controls, until none is left", () => {
  const answers = [420, 430, 450, 470].map((y) => fitAnswer({ x: 300, y }, area, false));
  expect(answers.map((answer) => answer?.textHeight)).toEqual([64, 48, 32, 16]);
  for (const answer of answers) expect(endOf(answer)).toBeLessThanOrEqual(544);
  expect(fitAnswer({ x: 300, y: 477 }, area, false)).toBeNull();
});

it("hides a closed answer under the tools at the top, which end before the right side", () => {
  expect(fitAnswer({ x: 100, y: 50 }, area, false)).toBeNull();
  expect(fitAnswer({ x: 400, y: 50 }, area, false)).not.toBeNull();
});

it("moves an open answer between the controls", () => {
  expect(fitAnswer({ x: 900, y: 500 }, area, true)).toEqual({ x: 552, y: 204, width: 440, textHeight: 288 });
  expect(fitAnswer({ x: -50, y: 0 }, area, true)).toMatchObject({ x: 8, y: 56 });
});

it("shortens an open answer on a low canvas", () => {
  const low = fitAnswer({ x: 20, y: 100 }, { width: 390, height: 300 }, true);
  expect(low).toEqual({ x: 8, y: 56, width: 374, textHeight: 136 });
  expect(fitAnswer({ x: 20, y: 100 }, { width: 390, height: 170 }, true)).toBeNull();
});
