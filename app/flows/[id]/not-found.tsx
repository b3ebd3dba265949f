import { NotFoundState } from "@/app/_ui/controls/not-found-state";

/** Nobody has a flow with this id, or this viewer may not see it. */
export default function FlowNotFound() {
  return <NotFoundState title="There is no such flow" />;
}
