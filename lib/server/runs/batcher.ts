import "server-only";

interface PendingItem<Item, Result> {
  item: Item;
  settle(result: PromiseSettledResult<Result>): void;
}

interface BatcherOptions {
  /** The most items of one batch. */
  most: number;
  /** Resolves when a batch begins: what is added until then joins it. */
  wait(): Promise<void>;
}

/** Performs what is requested at about the same time together, one batch after the other, each item with a result of its own. */
export class Batcher<Item, Result> {
  #pending: PendingItem<Item, Result>[] = [];
  #isPerforming = false;

  /** `perform` answers with a result for each item, in their order; when it rejects, every item of its batch does. */
  constructor(
    private readonly perform: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>,
    private readonly options: BatcherOptions,
  ) {}

  /** Resolves, or rejects, with the result of this item. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle = (result: PromiseSettledResult<Result>): void =>
        result.status === "fulfilled" ? resolve(result.value) : reject(result.reason);
      this.#pending.push({ item, settle });
      void this.#performAll();
    });
  }

  async #performAll(): Promise<void> {
    if (this.#isPerforming) return;
    this.#isPerforming = true;
    while (this.#pending.length > 0) {
      await this.options.wait();
      const batch = this.#pending.splice(0, this.options.most);
      const missing: PromiseRejectedResult = {
        status: "rejected",
        reason: new Error("the batch has no result for it"),
      };
      const results = await this.perform(batch.map(({ item }) => item)).catch((reason: unknown) =>
        batch.map((): PromiseRejectedResult => ({ status: "rejected", reason })),
      );
      for (const [index, { settle }] of batch.entries()) settle(results[index] ?? missing);
    }
    this.#isPerforming = false;
  }
}
