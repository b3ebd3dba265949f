import { NotFoundState } from "@/app/_ui/controls/not-found-state";
import { VisitorBar } from "../../s/[token]/_shared/shared-bar";

export default function GalleryFlowNotFound() {
  return (
    <>
      <VisitorBar />
      <NotFoundState title="The gallery has no such flow" />
    </>
  );
}
