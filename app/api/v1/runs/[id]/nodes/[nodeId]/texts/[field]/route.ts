import { textFields } from "@/lib/core/trace/model/step-texts";
import { stepOperations } from "@/lib/server/api/step-operations";
import { AppError } from "@/lib/server/app-error";
import { readNodeId, readQuery, route } from "@/lib/server/http/route";
import { getNodeText } from "@/lib/server/runs/read/queries";

interface TextRouteParams {
  id: string;
  nodeId: string;
  field: string;
}

/** The whole of one text of a step. It is plain text whatever is in it, and nothing of it runs where it is opened. */
export const GET = route<TextRouteParams>(async (viewer, request, { id, nodeId, field: named }) => {
  const { download } = readQuery(request, stepOperations.getStepText.query);
  const field = textFields.find((name) => name === named);
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
