import "server-only";
import { logger } from "../log/logger";
import type { ProviderConnection } from "./call/call";
import { listDeclaredModels } from "./model-port";

/** A connected server whose models no list of ours has. */
export interface ModelServer {
  /** Its provider, e.g. `compatible`. */
  id: string;
  /** Its name and port, e.g. `127.0.0.1:11434`. */
  host: string;
  connection: ProviderConnection;
}

/** The models that a connected server reports. */
export interface ReportedModels {
  provider: string;
  host: string;
  models: readonly string[];
}

/** Milliseconds that a server has for its list, and that a list or a missing answer is kept. */
const listTimes = { answer: 3000, list: 60_000, failure: 10_000 } as const;

/** Asks servers for their models, at most once a minute each. A server without an answer is left out. */
export class ModelLists {
  readonly #entries = new Map<string, { until: number; list: Promise<ReportedModels | null> }>();

  constructor(
    private readonly servers: readonly ModelServer[],
    private readonly now: () => number = Date.now,
  ) {}

  /** Never rejects. */
  async read(): Promise<ReportedModels[]> {
    const lists = await Promise.all(this.servers.map((server) => this.#readOne(server)));
    return lists.filter((list) => list !== null);
  }

  #readOne(server: ModelServer): Promise<ReportedModels | null> {
    const known = this.#entries.get(server.id);
    if (known && this.now() < known.until) return known.list;
    const list = askForModels(server);
    const entry = { until: this.now() + listTimes.list, list };
    this.#entries.set(server.id, entry);
    void list.then((answer) => {
      if (answer === null) entry.until = this.now() + listTimes.failure;
    });
    return list;
  }
}

async function askForModels({ id, host, connection }: ModelServer): Promise<ReportedModels | null> {
  try {
    const list = await listDeclaredModels(id, connection, AbortSignal.timeout(listTimes.answer));
    return list?.type === "listed" ? { provider: id, host, models: list.models } : null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "an unknown error";
    logger.debug({ provider: id, host, reason }, "a server did not list its models");
    return null;
  }
}
