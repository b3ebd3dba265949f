import { Compass } from "lucide-react";
import Link from "next/link";
import { buttonClass } from "./_ui/button";
import { EmptyState } from "./_ui/empty-state";

export default function NotFound() {
  return (
    <EmptyState icon={<Compass size={32} aria-hidden />} title="There is nothing here">
      <p>It may have been deleted, or the address is not quite right.</p>
      <Link href="/" className={buttonClass("primary")}>
        To the flows
      </Link>
    </EmptyState>
  );
}
