import { noUsage } from "@/lib/core/run/events/usage";
import type { ModelEvent, ModelPort } from "@/lib/core/run/ports/model";
import { localViewer } from "@/lib/server/auth/viewer";
import type { Db } from "@/lib/server/db";
import { createFlow } from "@/lib/server/flows/commands";
import { runWorld } from "@/lib/server/run-world";
import { newRow } from "@/lib/server/runs/testing/insert-runs";

/** Steps of one run, and runs at once. */
export const [stepsOfRun, concurrentRuns] = [100, 60];

const names = Array.from({ length: stepsOfRun }, (_, index) => `a${index}`);

/** Agents one after another, each with one model call. */
export const chainSource = `name: Chain
agents:
${names.map((name) => `  ${name}: { model: "compatible:instant" }`).join("\n")}
swarm: { flow: ${names.join(" >> ")} }
`;

async function* answer(): AsyncGenerator<ModelEvent> {
  yield { type: "sent", provider: "compatible", url: "instant:", body: "{}" };
  yield { type: "text", text: "An answer." };
  const usage = { ...noUsage, input: 10, output: 5, calls: 1, cost: 0 };
  yield { type: "done", message: { role: "assistant", content: "An answer." }, finishReason: "stop", usage };
}

const models: ModelPort = { find: () => ({ model: { stream: answer }, name: "instant", provider: "compatible" }) };

/** With a model that answers at once, in this process. */
export const chainContext = { ...runWorld, models };

/** A function that stores runs of a new flow, which wait for their turn; returns their ids. */
export async function prepareRuns(db: Db): Promise<(count: number) => Promise<string[]>> {
  const { id: flowId, revision: revisionId } = await createFlow(localViewer, { source: chainSource });
  return async (count) => {
    const rows = Array.from({ length: count }, () => ({
      ...newRow(),
      ...{ flowId, revisionId, flowName: "Chain", input: "go", priority: 0 },
    }));
    await db.run.createMany({ data: rows });
    return rows.map(({ id }) => id);
  };
}
