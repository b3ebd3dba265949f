import { VisitorBar } from "@/app/_share/shared-bar";
import { NotFoundState } from "@/app/_ui/shell/not-found-state";

export default function GalleryFlowNotFound() {
  return (
    <>
      <VisitorBar />
      <NotFoundState title="The gallery has no such flow" />
    </>
  );
}
