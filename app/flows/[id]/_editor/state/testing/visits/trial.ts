import { localViewer } from "@/lib/server/auth/viewer";
import { getFlow } from "@/lib/server/flows/queries";
import type { LiveServer } from "../live-server";
import { seededRandom } from "../open-together";
import { type Browser, createBrowser } from "./browser";
import type { Visit } from "./visit";
import { WordBook } from "./words";
import { printTexts } from "./written-texts";

const fields = ["a", "b", "c", "d"];
const source = `name: Shared
agents:
${fields.map((name) => `  ${name}:\n    model: "demo:writer"\n    instructions: "Begin"\n`).join("")}swarm: { type: workflow, flow: a >> b >> c >> d }
`;

/** A user who visits the flow again and again, and writes into one field. */
export interface Writer {
  name: string;
  browser: Browser;
  field: string;
  visit: Visit | null;
}

/** What happened in a trial. */
export class TrialLog {
  readonly events: string[] = [];
  readonly problems: string[] = [];
  readonly questions: string[] = [];
  /** The words depend on an answer of the user. */
  isUndecided = false;
  readonly #startedAt = Date.now();

  get ms(): number {
    return Date.now() - this.#startedAt;
  }

  note(text: string): void {
    this.events.push(`${String(this.ms).padStart(6)} ${text}`);
  }

  fail(text: string): void {
    this.problems.push(text);
    this.note(`!!! ${text}`);
  }

  /** Notes a question to a user. `isUndecided`: the words depend on the answer. */
  ask(text: string, isUndecided: boolean): void {
    this.questions.push(text);
    this.isUndecided ||= isUndecided;
    this.note(`??? ${text}`);
  }
}

/** The choices of a seed. */
function createChoices(seed: number) {
  const random = seededRandom(seed * 7919);
  const below = (max: number): number => Math.floor(random() * max);
  return {
    below,
    has: (probability: number): boolean => random() < probability,
    pick<T>(options: readonly [T, ...T[]]): T {
      return options[below(options.length)] ?? options[0];
    },
    /** One of them, each as often as its weight says. */
    pickWeighted<T extends { weight: number }>(options: readonly [T, ...T[]]): T {
      let rest = random() * options.reduce((sum, { weight }) => sum + weight, 0);
      for (const option of options) {
        rest -= option.weight;
        if (rest < 0) return option;
      }
      return options[0];
    },
  };
}

/** One flow, and its writers: two tabs of one browser, and one of another. */
export class Trial {
  readonly log = new TrialLog();
  readonly words = new WordBook();
  readonly choices: ReturnType<typeof createChoices>;
  readonly writers: readonly [Writer, Writer, Writer];
  /** What happens from now on is no part of it. */
  isOver = false;
  #visits = 0;

  private constructor(
    readonly server: LiveServer,
    readonly flowId: string,
    seed: number,
  ) {
    this.choices = createChoices(seed);
    const [first, second] = [createBrowser(), createBrowser()];
    this.writers = [
      { name: "P", browser: first, field: "a", visit: null },
      { name: "Q", browser: first, field: "b", visit: null },
      { name: "R", browser: second, field: "c", visit: null },
    ];
  }

  static async begin(server: LiveServer, seed: number): Promise<Trial> {
    return new Trial(server, await server.createFlow(source), seed);
  }

  /** All that is written in the flow. */
  readTexts = async (): Promise<string> => printTexts(await getFlow(localViewer, this.flowId));

  get browsers(): Browser[] {
    return [...new Set(this.writers.map(({ browser }) => browser))];
  }

  get visits(): Visit[] {
    return this.writers.flatMap(({ visit }) => visit ?? []);
  }

  /** Of the next visit. */
  nextName({ name }: Writer): string {
    this.#visits++;
    return `${name}${this.#visits}`;
  }

  /** Kills what is still open. */
  end(): void {
    this.isOver = true;
    for (const writer of this.writers) {
      writer.visit?.kill();
      writer.visit = null;
    }
  }
}
