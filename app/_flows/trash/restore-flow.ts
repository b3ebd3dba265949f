import { fetchText } from "../../_ui/loading/fetch-json";

/** Takes a flow out of the trash. Throws RequestError. */
export const restoreFlow = (id: string): Promise<unknown> =>
  fetchText(`/api/v1/flows/${id}/restore`, { method: "POST" });
