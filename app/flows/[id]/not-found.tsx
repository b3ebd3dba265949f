import { Compass } from "lucide-react";
import Link from "next/link";
import { buttonClass } from "@/app/_ui/button";
import { EmptyState } from "@/app/_ui/empty-state";

/** Nobody has a flow with this id, or this viewer may not see it. */
export default function FlowNotFound() {
  return (
    <EmptyState icon={<Compass size={32} aria-hidden />} title="There is no such flow">
      <p>It may have been deleted, or the address is not quite right.</p>
      <Link href="/" className={buttonClass("primary")}>
        To the flows
      </Link>
    </EmptyState>
  );
}
