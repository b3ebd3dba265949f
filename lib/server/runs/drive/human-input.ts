import "server-only";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { type HumanInputAnswer, humanInputAnswerSchema } from "@/lib/core/run/events/events";
import type { HumanInputPort, NumberedQuestion } from "@/lib/core/run/ports/human-input";
import type { Db } from "../../db";

/** The open questions of one run that is driven here. Answers arrive through the database, whichever process received them. */
export class RunPeople implements HumanInputPort {
  readonly #open = new Map<number, (answer: HumanInputAnswer) => void>();
  /** Answers that came before this process drove the run. */
  #earlier = new Map<number, HumanInputAnswer>();

  /** `onChange` is told when the run begins or ends to wait. */
  constructor(
    private readonly db: Pick<Db, "runAnswer">,
    private readonly runId: string,
    private readonly onChange: () => void,
  ) {}

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** Reads the answers that came while no process drove the run: they count although the time of a question is over now. */
  async restore(): Promise<void> {
    const rows = await this.db.runAnswer.findMany({ where: { runId: this.runId } });
    this.#earlier = new Map(rows.map(({ question, body }) => [question, parseJsonAs(body, humanInputAnswerSchema)]));
  }

  ask({ question }: NumberedQuestion, signal: AbortSignal): Promise<HumanInputAnswer> {
    const earlier = this.#earlier.get(question);
    if (earlier) return Promise.resolve(earlier);
    return new Promise((resolve, reject) => {
      const close = (): void => {
        this.#open.delete(question);
        this.onChange();
      };
      signal.addEventListener(
        "abort",
        () => {
          close();
          reject(signal.reason);
        },
        { once: true },
      );
      this.#open.set(question, (answer) => {
        close();
        resolve(answer);
      });
      this.onChange();
    });
  }

  /** Answers a question that is open here; others are ignored. */
  give(question: number, answer: HumanInputAnswer): void {
    this.#open.get(question)?.(answer);
  }

  /** Takes the answers that have come to open questions. */
  async collect(): Promise<void> {
    if (!this.isWaiting) return;
    const questions = [...this.#open.keys()];
    const rows = await this.db.runAnswer.findMany({ where: { runId: this.runId, question: { in: questions } } });
    for (const { question, body } of rows) this.give(question, parseJsonAs(body, humanInputAnswerSchema));
  }
}
