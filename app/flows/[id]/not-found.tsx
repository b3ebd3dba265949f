import { NotFoundState } from "@/app/_ui/shell/not-found-state";
import { AppBar } from "@/app/_ui/shell/top-bar";

export default function FlowNotFound() {
  return (
    <>
      <AppBar />
      <NotFoundState title="There is no such flow" />
    </>
  );
}
