import { z } from "zod";
import { textFields } from "@/lib/core/trace/model/step-texts";
import { AppError } from "@/lib/server/app-error";
import { readNodeId, readQuery, route } from "@/lib/server/http/route";
import { getNodeText } from "@/lib/server/runs/read/queries";

/** `?download=1`: as a file. */
const querySchema = z.object({ download: z.literal("1").optional() });
const fieldSchema = z.enum(textFields);

interface TextRouteParams {
  id: string;
  nodeId: string;
  field: string;
}

/** The whole of one text of a step. It is plain text whatever is in it, and nothing of it runs where it is opened. */
export const GET = route<TextRouteParams>(async (viewer, request, { id, nodeId, field: named }) => {
  const { download } = readQuery(request, querySchema);
  const field = fieldSchema.safeParse(named).data;
  if (!field) throw new AppError("not_found", `A step has no text "${named}", only ${textFields.join(", ")}.`);
  const node = readNodeId(nodeId);
  const text = await getNodeText(viewer, id, node, field);
  return new Response(text, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `${download ? "attachment" : "inline"}; filename="step-${node}-${field}.txt"`,
      "cache-control": "private, no-store",
    },
  });
});
