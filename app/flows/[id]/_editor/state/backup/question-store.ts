import * as idb from "idb-keyval";
import * as z from "zod/mini";
import type { Edit } from "@/lib/core/flow/edit";
import type { NodeType } from "@/lib/core/flow/flow";
import { layoutSchema } from "@/lib/core/flow/schemas/layout-schema";
import { listNodeKinds } from "@/lib/core/kinds/registry";
import type { LiveState } from "../live/live";
import { accessStore, listGoneTabs } from "../save/local-store";

/** Texts of this user that are not in the flow as they are here, until the user decides. */
export type OpenQuestions = Pick<LiveState, "lost" | "twins">;

const textEditSchema = z.object({
  type: z.enum(["set-agent-field", "set-control-field", "set-var", "set-flow-description", "set-flow-name"]),
});
const fieldSchema = z.custom<Edit>((value) => textEditSchema.safeParse(value).success);
const nodeTypeSchema = z.custom<NodeType>((value) => listNodeKinds().some(({ type }) => type === value));

const lostSchema = z.object({
  owner: z.string(),
  by: z.nullable(z.string()),
  isReplaced: z.boolean(),
  field: z.catch(z.nullable(fieldSchema), null),
  text: z.string(),
  before: z.catch(z.nullable(z.object({ source: z.string(), layout: layoutSchema, type: nodeTypeSchema })), null),
});
const partSchema = z.object({ text: z.string(), name: z.nullable(z.string()) });
const twinSchema = z.object({
  owner: z.string(),
  field: fieldSchema,
  merged: z.string(),
  parts: z.tuple([partSchema, partSchema]),
  both: z.nullable(z.string()),
});

/** Of another release what can be read. */
const readAll = <T>(schema: z.ZodMiniType<T>, values: unknown): T[] =>
  (Array.isArray(values) ? values : []).flatMap((value) => schema.safeParse(value).data ?? []);

const questionsKey = (flowId: string, tab: string): [string, string, string] => ["questions", flowId, tab];

/** `replaced`: closed tabs whose questions this one asks. Returns whether they are stored. */
export async function storeQuestions(
  flowId: string,
  tab: string,
  { questions, replaced }: { questions: OpenQuestions; replaced: readonly string[] },
): Promise<boolean> {
  const { lost, twins } = questions;
  const key = questionsKey(flowId, tab);
  const isStored = await accessStore((store) =>
    store("readwrite", async (table) => {
      if (lost.length + twins.length > 0) table.put({ lost, twins }, key);
      else table.delete(key);
      for (const old of replaced) table.delete(questionsKey(flowId, old));
      await idb.promisifyRequest(table.transaction);
      return true;
    }),
  );
  return isStored ?? false;
}

/** The questions of closed tabs. */
export const readQuestions = (flowId: string): Promise<(OpenQuestions & { tabs: readonly string[] }) | null> =>
  accessStore(async (store) => {
    const tabs = await listGoneTabs(store, "questions", flowId);
    const stored = await idb.getMany<{ lost?: unknown; twins?: unknown } | undefined>(
      tabs.map((tab) => questionsKey(flowId, tab)),
      store,
    );
    return {
      tabs,
      lost: stored.flatMap((one) => readAll(lostSchema, one?.lost)),
      twins: stored.flatMap((one) => readAll(twinSchema, one?.twins)),
    };
  });
