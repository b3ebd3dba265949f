import { describe, expect, it } from "vitest";
import { type CanvasBox, overlaps } from "@/lib/core/layout/scene/canvas-box";
import { boxOfOpenAnswer, fitClosedAnswer, fitOpenAnswer } from "./fit-answer";

const area = { width: 1000, height: 600 };
/** The lower end of an answer, with its frame. */
const endOf = (answer: ReturnType<typeof fitClosedAnswer>): number => (answer ? answer.y + 52 + answer.textHeight : 0);

describe("a closed answer", () => {
  it("is left alone when it is clear of the controls", () => {
    expect(fitClosedAnswer({ x: 300, y: 200 }, area)).toEqual({ x: 300, y: 200, width: 224, textHeight: 64 });
  });

  it("loses lines when it comes near the lower controls, until none is left", () => {
    const answers = [420, 430, 450, 470].map((y) => fitClosedAnswer({ x: 300, y }, area));
    expect(answers.map((answer) => answer?.textHeight)).toEqual([64, 48, 32, 16]);
    for (const answer of answers) expect(endOf(answer)).toBeLessThanOrEqual(544);
    expect(fitClosedAnswer({ x: 300, y: 477 }, area)).toBeNull();
  });

  it("is hidden under the tools at the top, which end before the right side", () => {
    expect(fitClosedAnswer({ x: 100, y: 50 }, area)).toBeNull();
    expect(fitClosedAnswer({ x: 400, y: 50 }, area)).not.toBeNull();
  });
});

describe("an open answer", () => {
  const size = { width: 200, height: 100 };
  const phone = { width: 390, height: 600 };
  const fitOpen = (step: CanvasBox, canvas: typeof area, cards: readonly CanvasBox[] = []) =>
    fitOpenAnswer(step, canvas, (box) => cards.filter((card) => overlaps(card, box)).length);

  it.each([
    ["right", { x: 100, y: 250, ...size }, area],
    ["left", { x: 700, y: 250, ...size }, area],
    ["left", { x: 480, y: 100, ...size }, area],
    ["below", { x: 90, y: 70, ...size }, phone],
    ["above", { x: 90, y: 430, ...size }, phone],
  ] as const)("is %s its step where the most room is, between the controls (%#)", (side, step, canvas) => {
    const answer = fitOpen(step, canvas);
    if (!answer) throw new Error("There is no room for the answer.");
    expect(answer.side).toBe(side);
    const box = boxOfOpenAnswer(answer);
    expect(overlaps(box, step)).toBe(false);
    expect(box.x).toBeGreaterThanOrEqual(8);
    expect(box.x + box.width).toBeLessThanOrEqual(canvas.width - 8);
    expect(box.y).toBeGreaterThanOrEqual(56);
    expect(box.y + box.height).toBeLessThanOrEqual(canvas.height - 56);
  });

  it("covers as few cards as possible", () => {
    const step = { x: 400, y: 80, ...size };
    const members = [200, 400, 600].map((x) => ({ x, y: 300, ...size }));
    expect(fitOpen(step, { width: 1100, height: 600 })?.side).toBe("right");
    expect(fitOpen(step, { width: 1000, height: 600 })?.side).toBe("below");
    expect(fitOpen(step, { width: 1000, height: 600 }, members)?.side).toBe("right");
  });

  it("is smaller where it would cover a card else", () => {
    const step = { x: 20, y: 80, ...size };
    const cards = [{ x: 600, y: 60, width: 400, height: 480 }];
    const answer = fitOpen(step, area, cards);
    if (!answer) throw new Error("There is no room for the answer.");
    expect(cards.some((card) => overlaps(card, boxOfOpenAnswer(answer)))).toBe(false);
    expect(answer).toMatchObject({ side: "below", width: 440 });
    const beside = [{ x: 8, y: 300, width: 992, height: 240 }];
    expect(fitOpen(step, area, beside)).toMatchObject({ side: "right", width: 440, textHeight: 96 });
  });

  it("covers its step on a canvas without room beside it, and is short on a low one", () => {
    const low = fitOpen({ x: 20, y: 100, ...size }, { width: 390, height: 300 });
    expect(low).toEqual({ side: null, x: 8, y: 56, width: 374, textHeight: 136 });
    expect(fitOpen({ x: 20, y: 100, ...size }, { width: 390, height: 170 })).toBeNull();
  });

  it("stays in view when its step is out of view", () => {
    expect(fitOpen({ x: -900, y: 900, ...size }, area)).toMatchObject({ x: 8, y: 204 });
    expect(fitOpen({ x: 1200, y: -300, ...size }, area)).toMatchObject({ x: 552, y: 56 });
  });
});
