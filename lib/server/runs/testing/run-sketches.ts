import "server-only";
import { randomUUID } from "node:crypto";

/** What distinguishes one stored run from the run that it is a copy of. Moments as ISO dates. */
export interface RunSketch {
  id: string;
  /** The run that it is a copy of. */
  template: string;
  teamId: string;
  status: string;
  /** RunError as JSON. */
  error: string | null;
  errorCode: string | null;
  input: string;
  /** Payload as JSON. */
  output: string;
  search: string;
  createdAt: string;
  startedAt: string;
  endedAt: string;
  durationMs: number;
  tokens: number;
  cost: number | null;
  startedById: string;
  startedBy: string;
}

const words =
  "agent answer budget canvas contract customer deadline draft error figure forecast graph history invoice journal lease letter limit market memory message model network note order panel plan price queue quote reason record report request result review risk route sample schedule section server signal source status step store stream summary swarm table target team text thread ticket token tool topic trace user value vendor warning weather week window worker".split(
    " ",
  );

/** A word that every hundredth run has, and one that only the oldest has. */
export const searchedWords = { rare: "loomweight", oldest: "heddlebar", missing: "zzyzx" };

const people = ["local", "ana", "ben", "chloe", "dmitri"];

/** Numbers in [0, 1) that are the same every time (Park and Miller 1988). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/**
 * `count` runs of the last 30 days, the oldest first: nine of ten succeeded; inputs of 60 to 160 words, answers of 200 to
 * 400. `templates`: the runs that they are copies of, in turn. `now`: milliseconds since the epoch.
 */
export function sketchRuns(count: number, templates: readonly string[], now: number): RunSketch[] {
  const random = createRandom(20_261_124);
  const integer = (below: number): number => Math.floor(random() * below);
  const write = (length: number): string => Array.from({ length }, () => words[integer(words.length)] ?? "").join(" ");
  const everyMs = (30 * 86_400_000) / count;
  return Array.from({ length: count }, (_, index) => {
    const created = now - (count - index) * everyMs;
    const durationMs = 2_000 + integer(120_000);
    const marks = [index % 100 === 0 ? searchedWords.rare : "", index === 0 ? searchedWords.oldest : ""];
    const input = `${write(60 + integer(100))} ${marks.join(" ")}`.trim();
    const answer = write(200 + integer(200));
    const person = people[integer(people.length)] ?? "local";
    return {
      id: randomUUID(),
      template: templates[index % templates.length] ?? "",
      teamId: "local",
      ...sketchEnding(integer(100)),
      input,
      output: JSON.stringify({ text: answer }),
      search: `${input}\n${answer}`.toLowerCase(),
      createdAt: new Date(created).toISOString(),
      startedAt: new Date(created + 20).toISOString(),
      endedAt: new Date(created + 20 + durationMs).toISOString(),
      durationMs,
      tokens: 1_000 + integer(50_000),
      cost: integer(20) === 0 ? null : random(),
      startedById: person,
      startedBy: person === "local" ? "You" : person,
    };
  });
}

/** `percentile`: 0 to 99. */
function sketchEnding(percentile: number): Pick<RunSketch, "status" | "error" | "errorCode"> {
  if (percentile < 90) return { status: "SUCCESS", error: null, errorCode: null };
  const status = percentile < 97 ? "FAILED" : percentile < 98 ? "TIMEOUT" : "CANCELLED";
  const code = { FAILED: "rate-limit", TIMEOUT: "timeout", CANCELLED: "cancelled" }[status] ?? "";
  const error = { code, message: `The run ended as ${status}.` };
  return { status, error: JSON.stringify(error), errorCode: code };
}
