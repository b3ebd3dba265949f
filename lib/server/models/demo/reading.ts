import "server-only";
import type { Message, ToolMessage } from "@/lib/core/run/events/messages";
import { simulatedLabel } from "@/lib/core/run/events/simulated-label";
import { systemTextsOf } from "../turns";
import { removeSwitches } from "./switches";

/** What a simulated agent sees of its conversation. */
export interface Situation {
  /** The system texts, joined. */
  instructions: string;
  /** The last user message. */
  input: string;
  /** Instructions and input. */
  prompt: string;
  /** What it is all about, in one line. */
  topic: string;
  /** Findings that earlier agents handed on, one line each. */
  findings: readonly string[];
  /** What tools answered since the last user message. */
  results: readonly ToolMessage[];
}

/** The engine's message to the agent that receives a handoff: not a question of its own. */
const handedOver = /^\(.+ handed this conversation over to you, /s;

/** More of a text than this is not looked at, in UTF-16 units. */
const maxRead = 20_000;

export function readSituation(messages: readonly Message[]): Situation {
  const lastUserIndex = messages.findLastIndex((message) => message.role === "user");
  const lastQuestionIndex = messages.findLastIndex(
    (message) => message.role === "user" && !handedOver.test(message.content),
  );
  const questionIndex = lastQuestionIndex < 0 ? lastUserIndex : lastQuestionIndex;
  const input = (messages[questionIndex]?.content ?? "").slice(0, maxRead);
  const instructions = systemTextsOf(messages).join("\n\n").slice(0, maxRead);
  return {
    instructions,
    input,
    prompt: `${instructions}\n${input}`,
    topic: readTopic(input),
    findings: readFindings(input),
    results: messages.slice(lastUserIndex + 1).filter((message) => message.role === "tool"),
  };
}

const maxTopic = 200;
const maxFindings = 8;

/** The topic or headline that earlier simulated answers hand on, else the first lines of the input. */
function readTopic(input: string): string {
  const plain = removeSwitches(input);
  const handedOn = /^(?:Topic: |## )(.+)$/m.exec(plain)?.[1];
  return shorten(handedOn ?? plain.replace(`${simulatedLabel}.`, ""), maxTopic) || "the task";
}

/** The list items of the input; where there are none, the sentences of what an earlier agent wrote. Each once. */
export function readFindings(input: string): string[] {
  const lines = removeSwitches(input).split(/\r?\n/);
  const items = lines.flatMap((line) => /^\s*(?:[-*•]|\d+[.)])\s+(.+)$/.exec(line)?.[1] ?? []);
  const written = input.includes(simulatedLabel) || input.length > 2 * maxTopic;
  const prose = lines.filter((line) => !/^(?:#|Topic: |Simulated answer)/.test(line)).join("\n");
  const findings = items.length > 0 ? items : written ? sentencesOf(prose) : [];
  return [...new Set(findings.map((item) => shorten(item, 260)))].slice(0, maxFindings);
}

/** The sentences of a text, each with the source in parentheses after it; headings left out. */
export function sentencesOf(text: string): string[] {
  const paragraphs = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return paragraphs.flatMap((line) => line.trim().split(/(?<=[.!?…)])\s+(?=[\p{Lu}\p{N}“"])/u));
}

/** `text` on one line, cut at the end of a sentence, or of a word, when it is longer than `most`. */
export function shorten(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= most) return line;
  const head = line.slice(0, most);
  const sentence = Math.max(head.lastIndexOf(". "), head.lastIndexOf("? "), head.lastIndexOf("! "));
  if (sentence > most / 3) return head.slice(0, sentence + 1);
  const word = head.lastIndexOf(" ");
  return `${(word > most / 3 ? head.slice(0, word) : head).trimEnd()}…`;
}

const commonWords = new Set(
  "a an and any are as at be by can do does each for from has have how if in into is it its me my never no not of on one or our should such tell that the their them then they this to what when where which who with you your".split(
    " ",
  ),
);

/** The telling words of a text: lower case, without plural endings, at most the first thousand. */
export function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.slice(0, 1000).filter((word) => word.length > 1 && !commonWords.has(word));
  return new Set(telling.map((word) => (word.length > 3 ? word.replace(/s$/, "") : word)));
}

export function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const word of a) if (b.has(word)) count++;
  return count;
}

/** The items whose texts share most words with `prompt` first; equals stay in their order. */
export function rankByWords<T>(items: readonly T[], toText: (item: T) => string, prompt: string): T[] {
  const promptWords = wordsOf(prompt);
  const scored = items.map((item) => ({ item, score: countShared(wordsOf(toText(item)), promptWords) }));
  return scored.sort((a, b) => b.score - a.score).map(({ item }) => item);
}

/** The first numbers of a text, as it writes them. */
export const numbersIn = (text: string): string[] =>
  text.slice(0, 4000).match(/(?<![\w.])\d{1,12}(?:\.\d{1,6})?(?![\w])/g) ?? [];

const sumPattern = /\(*\s*\d+(?:\.\d+)?\)*(?:\s*[-+*/×÷^%]\s*\(*\s*\d+(?:\.\d+)?\)*)+/;
const number = String.raw`(\d+(?:\.\d+)?)`;
const eachPattern = new RegExp(
  `${number}\\s+[\\p{L} -]{0,40}?\\b(?:at|times|for|à|@)\\s+[^\\d\\s]?\\s?${number}`,
  "iu",
);

/** A sum that the text asks for: written out (`3 * 4`), as a price (`240 trees at 85 euro`), or of its first two numbers. */
export function findSum(prompt: string): string | null {
  const text = prompt.slice(0, 4000);
  const written = sumPattern.exec(text)?.[0]?.trim();
  if (written !== undefined && !/^\d{4}-\d{1,2}(?:-\d{1,2})?$/.test(written)) return written;
  const each = eachPattern.exec(text);
  if (each) return `${each[1]} * ${each[2]}`;
  const [firstNumber, secondNumber] = numbersIn(text);
  return secondNumber === undefined ? null : `${firstNumber} + ${secondNumber}`;
}
