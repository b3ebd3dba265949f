import { readNodeId, route } from "@/lib/server/http/route";
import { getAgentSettings } from "@/lib/server/runs/read/agent-settings";

export const GET = route<{ id: string; nodeId: string }>((viewer, _, { id, nodeId }) =>
  getAgentSettings(viewer, id, readNodeId(nodeId)),
);
