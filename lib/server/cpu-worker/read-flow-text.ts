import "server-only";
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Offer } from "@/lib/core/check/offer";
import type { Flow } from "@/lib/core/flow/flow";
import type { Problem } from "@/lib/core/flow/problem";
import { AppError } from "../app-error";
import type { FlowOutline } from "../flows/outline/flow-outline";
import { runTask } from "./run-task";
import { type FlowTextInput, type FlowTextOutput, tasks } from "./tasks";
import { isBusyError, isCostError } from "./worker-pool";

/**
 * Texts up to this length, in UTF-16 units, and with so many patterns are read at once, unless they repeat or hide parts of
 * themselves. Measured for 2,000 units: 40 ms for the costliest, which is full of mistakes in its YAML; 8 ms for a plain one,
 * and up to 2 ms for each pattern.
 */
const [maxLengthAtOnce, maxPatternsAtOnce] = [2_000, 8];
/** Longer texts take seconds. */
const maxShortLength = 100_000;
const deadlineMs = 20_000;

/** Whose turn a long text takes. */
export interface ReadingTurn {
  /** Null: a visitor's. */
  teamId: string | null;
  /**
   * Who asks: people take turns, so that the texts of one delay each text of another by one of them, in however many teams.
   * Missing: no person, e.g. a schedule; then the team takes the turn.
   */
  userId?: string | undefined;
  /** A run waits however many texts of its team wait; requests are refused then. */
  isOfRun?: true;
  /**
   * What the server reads by itself when it starts is read in another thread, however short it is: a text that ends the
   * process would end it at each start. It waits as a run does.
   */
  isAtStart?: boolean | undefined;
}

const toTaskOptions = ({ teamId, userId, isOfRun, isAtStart }: ReadingTurn, { length }: string) => ({
  client:
    userId !== undefined ? `texts of ${userId}` : teamId === null ? "texts of visitors" : `texts of team ${teamId}`,
  deadlineMs,
  isPatient: isOfRun === true || isAtStart === true,
  isLong: length > maxShortLength,
});

/** Aliases repeat a part of a text: 2,000 units with a topology that many groups share take 800 ms. */
const hasAliases = (source: string): boolean => /&\S/.test(source) && /\*\S/.test(source);

/** Escapes in quotes that spell letters or join lines: the name before a pattern may be written with them. */
const hasHiddenLetters = (source: string): boolean => /\\[xuU\s]/.test(source);

const isReadAtOnce = (source: string): boolean =>
  source.length <= maxLengthAtOnce &&
  source.split("matches").length - 1 <= maxPatternsAtOnce &&
  !hasAliases(source) &&
  !hasHiddenLetters(source);

/**
 * The flow of a text and its problems. Long texts are read in another thread. Throws AppError: `too_large` where that takes
 * too long, `rate_limited` where too many texts wait.
 */
export async function readFlowText(
  source: string,
  offer: Offer,
  turn: ReadingTurn,
): Promise<{ flow: Flow; problems: readonly Problem[] }> {
  const { flow, problems } = await read({ source, offer, turn }, "flow");
  if (!flow) throw new Error("the flow is missing in what was read");
  return { flow, problems };
}

/** What a list shows of a flow, and its problems; else like `readFlowText`. */
export async function readFlowOutline(
  source: string,
  offer: Offer,
  turn: ReadingTurn,
): Promise<{ outline: FlowOutline; problems: readonly Problem[] }> {
  const { outline, problems } = await read({ source, offer, turn }, "outline");
  if (!outline) throw new Error("the outline is missing in what was read");
  return { outline, problems };
}

/** The flow of a text, and the text for a browser that `packReading` makes; else like `readFlowText`. */
export async function packFlowText(
  source: string,
  offer: Offer,
  turn: ReadingTurn,
): Promise<{ flow: Flow; packed: string }> {
  const { flow, packed } = await read({ source, offer, turn }, "packed");
  if (!flow || packed === null) throw new Error("the flow is missing in what was read");
  return { flow, packed };
}

/** The text of a flow with another name; null when it has a mistake that hides the place of the name. */
export async function renameFlowText(source: string, name: string, turn: ReadingTurn): Promise<string | null> {
  if (isReadAtOnce(source)) return tasks["rename-flow"]({ source, name });
  return runTask("rename-flow", { source, name }, toTaskOptions(turn, source)).catch(refuse);
}

/** Prices are known here only. A first reading tells of which models they matter. */
async function read(
  { source, offer, turn }: { source: string; offer: Offer; turn: ReadingTurn },
  part: FlowTextInput["part"],
): Promise<FlowTextOutput> {
  const { isPriced, checkPattern, ...plainOffer } = offer;
  const input = { source, offer: plainOffer, hasPatterns: checkPattern !== undefined, prices: {}, part };
  const first = await readOnce(input, turn);
  if (!isPriced || first.models.length === 0) return first;
  const unpriced = await findUnpriced(first.models, isPriced);
  return unpriced.length === 0
    ? first
    : readOnce({ ...input, prices: Object.fromEntries(unpriced.map((model) => [model, false])) }, turn);
}

async function findUnpriced(models: readonly string[], isPriced: NonNullable<Offer["isPriced"]>): Promise<string[]> {
  const unpriced: string[] = [];
  for (const [index, model] of models.entries()) {
    if (index % 100 === 99) await nextTurn();
    if (isPriced(model) === false) unpriced.push(model);
  }
  return unpriced;
}

/** Readings that are kept, and how long their texts are together, in UTF-16 units. */
const [maxKept, maxKeptUnits] = [200, 4_000_000];

interface KeptReading {
  reading: FlowTextOutput;
  units: number;
}

/** By the hash of all that a reading depends on, the one that was used last at the end. */
const keptReadings = new Map<string, KeptReading>();
/** Readings under way, also by whose turn they take. */
const readings = new Map<string, Promise<FlowTextOutput>>();

async function readOnce(input: FlowTextInput, turn: ReadingTurn): Promise<FlowTextOutput> {
  const { source, ...others } = input;
  const key = createHash("sha256").update(source).update("\0").update(JSON.stringify(others)).digest("hex");
  const kept = keptReadings.get(key);
  if (kept || (isReadAtOnce(source) && !turn.isAtStart))
    return keep(key, kept ?? { reading: tasks["read-flow"](input), units: source.length });
  const options = toTaskOptions(turn, source);
  const turnKey = `${key} ${JSON.stringify(options)}`;
  const reading = readings.get(turnKey) ?? runTask("read-flow", input, options).catch(refuse);
  readings.set(turnKey, reading);
  try {
    return keep(key, { reading: await reading, units: source.length });
  } finally {
    readings.delete(turnKey);
  }
}

function keep(key: string, kept: KeptReading): FlowTextOutput {
  keptReadings.delete(key);
  keptReadings.set(key, kept);
  let units = [...keptReadings.values()].reduce((sum, entry) => sum + entry.units, 0);
  for (const [oldest, entry] of keptReadings) {
    if (oldest === key || (keptReadings.size <= maxKept && units <= maxKeptUnits)) break;
    keptReadings.delete(oldest);
    units -= entry.units;
  }
  return kept.reading;
}

/** After how many seconds a refused request may succeed. */
const retrySeconds = 5;

function refuse(error: unknown): never {
  if (isBusyError(error))
    throw new AppError(
      "rate_limited",
      "Too many long flows are being read at once. Try again in a moment.",
      undefined,
      retrySeconds,
    );
  if (!isCostError(error)) throw error;
  throw new AppError(
    "too_large",
    `Reading this flow takes longer than ${deadlineMs / 1000} s, or too much memory. Split it into several.`,
  );
}
