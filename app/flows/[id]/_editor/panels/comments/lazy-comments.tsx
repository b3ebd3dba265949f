import dynamic from "next/dynamic";
import { loadPart } from "@/app/_ui/loading/load-part";
import { formatCount } from "@/lib/core/flow/format-count";
import { useSession } from "../../state/session-context";

const loading = () => <p className="text-text-muted text-xs">Loading the comments…</p>;

const Comments = dynamic(() => loadPart(() => import("@/app/_comments/comments")), { ssr: false, loading });

/** All threads of the flow. */
export const FlowComments = dynamic(() => loadPart(() => import("./flow-comments")), { ssr: false, loading });

/** The threads on a node, which is meant by its name. */
export function NodeComments({ name }: { name: string }) {
  const { seed, comments } = useSession();
  return <Comments flowId={seed.id} target={{ type: "node", name }} onLoaded={comments.set} />;
}

export const toCommentsLabel = (open: number): string => (open === 0 ? "Comments" : `Comments ${formatCount(open)}`);
