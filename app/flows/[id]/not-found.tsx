import { NotFoundState } from "@/app/_ui/controls/not-found-state";

export default function FlowNotFound() {
  return <NotFoundState title="There is no such flow" />;
}
