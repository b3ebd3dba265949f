import { Compass } from "lucide-react";
import Link from "next/link";
import { buttonClass } from "../controls/button";
import { EmptyState } from "../controls/empty-state";
import { PageGround } from "./page-ground";

export function NotFoundState({ title }: { title: string }) {
  return (
    <PageGround>
      <EmptyState icon={<Compass size={32} aria-hidden />} title={title}>
        <p>It may have been deleted, or the address is wrong.</p>
        <Link href="/" className={buttonClass("primary")}>
          Go to the flows
        </Link>
      </EmptyState>
    </PageGround>
  );
}
