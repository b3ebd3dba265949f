import { formatCount } from "../../../flow/format-count";
import type { Problem } from "../../../flow/problem";
import { importLimits } from "./imported";

/** Why a text is not read at all: too long, no text, or nested so deeply that reading it would take for ever. Linear. */
export function refuseText(text: string): Problem | null {
  const refuse = (code: Problem["code"], message: string): Problem => ({ code, severity: "error", message });
  if (text.length > importLimits.length)
    return refuse(
      "too-large",
      `The text has ${formatCount(text.length)} characters; at most ${formatCount(importLimits.length)} are imported. Split it.`,
    );
  if (text.trim() === "") return refuse("empty-flow", "There is no text to import. Paste or choose one.");
  if (/[\0\ufffe\uffff]/.test(text))
    return refuse("unsupported", "This is no text: it holds characters of a binary file. Choose a text file.");
  if (deepest(text) > importLimits.depth || deepest(withoutQuotes(text)) > importLimits.depth)
    return refuse(
      "too-deep",
      `Brackets nest more than ${importLimits.depth} deep here. Expected a flow; simplify the text.`,
    );
  if (/(?:[-?:] {1,4}){200}|(?:\b(?:lambda|not|await)\b[\s:]*){200}|(?:[=~] ?\w{0,8}){2000}/.test(text))
    return refuse("too-deep", "The text nests too deep in one line. Expected a flow; simplify the text.");
  return null;
}

/** How many brackets are open at most; one that closes nothing does not count. */
function deepest(text: string): number {
  let [depth, most] = [0, 0];
  for (const [bracket] of text.matchAll(/[[\](){}]/g)) {
    depth = Math.max(0, depth + ("([{".includes(bracket) ? 1 : -1));
    most = Math.max(most, depth);
  }
  return most;
}

const withoutQuotes = (text: string): string => text.replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, "");
