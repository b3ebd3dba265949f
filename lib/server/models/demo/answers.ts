import "server-only";
import { hashText } from "@/lib/core/flow/hash-text";
import type { Message, ToolMessage } from "@/lib/core/run/events/messages";
import { simulatedLabel } from "@/lib/core/run/events/simulated-label";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import { isObject, parseJson } from "../json";
import { countShared, readFindings, type Situation, sentencesOf, shorten, wordsOf } from "./reading";

type DemoRole = "planner" | "researcher" | "critic" | "writer" | "summariser" | "router" | "other";

/** Beginnings of words that tell a role, looked for in the agent's name first, then in its instructions. */
const signs: readonly [DemoRole, RegExp][] = [
  ["planner", /plan|outlin|coordinat|manager|strateg|\blead\b/i],
  ["critic", /critic|review|check|judge|verif|editor|proof/i],
  ["researcher", /research|search|find|fact|analy|gather|scout|investigat|read/i],
  ["summariser", /summar|condens|digest|shorten/i],
  ["router", /rout|triage|dispatch|classif/i],
  ["writer", /writ|author|draft|copy|poet|report|article/i],
];

function findRole(agent: string, model: string, instructions: string): DemoRole {
  for (const text of [agent, model, instructions]) for (const [role, sign] of signs) if (sign.test(text)) return role;
  return "other";
}

/** What an answer is made of. */
interface Material {
  agent: string;
  topic: string;
  /** What tools answered to this agent, one line each, with the source. */
  results: readonly string[];
  /** What there is to report: the own results, else the findings. */
  facts: readonly string[];
  duty: string;
  seed: number;
}

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");
const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

const openQuestions = [
  "Still open: who looks after it in the second year.",
  "Still open: how the effect will be measured.",
  "Still open: how the residents see it.",
];

/** How each role answers. The topic and the facts are handed on in lines that the next simulated agent reads. */
const bodies: Record<DemoRole, (material: Material) => string[]> = {
  planner: ({ agent, facts }) => [
    `${agent} splits the question into parts that can be worked on side by side:`,
    "1. What works: facts, each with its source.\n2. What it takes: numbers, worked out and not guessed.\n3. What decides: dates, limits and risks.",
    ...(facts.length > 0 ? [`Known so far:\n${list(facts)}`] : []),
  ],
  researcher: ({ agent, results, facts, duty }) =>
    results.length > 0
      ? [`${agent} found, with ${count(results.length, "tool call")}:`, list(results)]
      : [
          `${agent} had no tool to look things up with${duty}.`,
          facts.length > 0 ? `From the input:\n${list(facts.slice(0, 3))}` : "The input holds no facts to build on.",
        ],
  critic: ({ agent, facts, seed }) => [
    facts.length > 0
      ? `${agent} checked ${count(facts.length, "finding")} and hands on those that name a source:\n${list(facts)}`
      : `${agent} found nothing to check: the input holds no findings.`,
    openQuestions[seed % openQuestions.length] ?? "",
  ],
  writer: ({ topic, facts, duty }) => [
    `## ${shorten(headline(topic), 80)}`,
    facts.length > 0
      ? facts.map((fact) => endSentence(fact.replace(/ \([^(),]+, ([^()]+)\)$/, " ($1)"))).join(" ")
      : `Nothing was handed on to write about, so this stays a sketch${duty}.`,
  ],
  summariser: ({ facts }) => [
    facts.length > 0 ? `In short:\n${list(facts.slice(0, 3))}` : "In short: there is nothing but the question yet.",
  ],
  router: ({ agent, facts }) => [
    `${agent} read the request and passes it on unchanged.`,
    ...(facts.length > 0 ? [list(facts)] : []),
  ],
  other: ({ agent, facts, duty }) => [
    facts.length > 0
      ? `${agent} goes by these points:\n${list(facts)}`
      : `${agent} read the input${duty}. A real model would answer here: choose one in the agent's settings.`,
  ],
};

/** The text of the answer: label, topic (a writer's headline contains it), and the role's text for the inputs. */
export function writeAnswer(request: ModelRequest, situation: Situation): string {
  const role = findRole(request.agent, request.model, situation.instructions);
  const results = readResults(request, situation);
  const handedOn = role === "planner" || role === "researcher" ? [] : situation.findings;
  const duty = shorten(sentencesOf(situation.instructions)[0] ?? "", 120).replace(/[.!…]+$/, "");
  const body = bodies[role]({
    agent: request.agent,
    topic: situation.topic,
    results,
    facts: results.length > 0 ? [...results, ...handedOn].slice(0, 8) : situation.findings,
    duty: duty === "" ? "" : `, as it was told to (“${duty}”)`,
    seed: hashText(request.agent + situation.topic),
  });
  const topic = role === "writer" ? [] : [`Topic: ${situation.topic}`];
  return [`${simulatedLabel}.`, ...topic, ...body].join("\n\n");
}

const headline = (topic: string): string => sentencesOf(topic)[0] ?? topic;

const endSentence = (text: string): string => (/[.!?…)]$/.test(text) ? text : `${text}.`);

/** What the tools answered, one line each: the telling sentence and where it is from. */
function readResults(request: ModelRequest, situation: Situation): string[] {
  return situation.results.flatMap(toReports).map((result) => {
    const argument = describeArguments(request.messages, result.toolCallId);
    const source = `${request.agent}, ${result.name}${argument}`;
    const statement = result.isError
      ? `The tool failed: ${shorten(result.content, 160)}`
      : quote(result.content, situation);
    return `${statement} (${source})`;
  });
}

/** What spawned agents reported, one by one; that they were spawned is no news. */
function toReports(result: ToolMessage): ToolMessage[] {
  if (result.name === "spawn_agent") return [];
  const reports = result.name === "await_agents" ? parseJson(result.content) : undefined;
  if (!Array.isArray(reports)) return [result];
  return reports.filter(isObject).map(({ agent, result: report, error }) => ({
    ...result,
    name: String(agent ?? result.name),
    content: String(report ?? error ?? ""),
  }));
}

/** Of a long text, the sentence that fits the topic best: shared words count, and so does a number. */
function quote(content: string, situation: Situation): string {
  const [finding] = content.startsWith(simulatedLabel) ? readFindings(content) : [];
  if (finding !== undefined) return finding;
  const plainText = content.replace(/\s+/g, " ").trim();
  if (plainText === "") return "(an empty answer)";
  if (plainText.length <= 120) return plainText;
  const about = wordsOf(situation.topic);
  const scored = sentencesOf(content.slice(0, 20_000)).map((sentence) => ({
    sentence,
    score: countShared(wordsOf(sentence), about) + (/\d/.test(sentence) ? 1 : 0),
  }));
  const best = scored.sort((a, b) => b.score - a.score)[0];
  return shorten(best?.sentence ?? plainText, 180);
}

/** The first text among the arguments of a call, where it is short: ` street-trees`. */
function describeArguments(messages: readonly Message[], id: string): string {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
  const callArguments = parseJson(calls.findLast((call) => call.id === id)?.arguments ?? "");
  const firstText = isObject(callArguments)
    ? Object.values(callArguments).find((value) => typeof value === "string")
    : undefined;
  return typeof firstText === "string" && firstText.length <= 40 && /^[\w -]+$/.test(firstText) ? `: ${firstText}` : "";
}
