import { FileWarning } from "lucide-react";
import Link from "next/link";
import { buttonClass } from "@/app/_ui/controls/button";
import { EmptyState } from "@/app/_ui/controls/empty-state";
import { PageGround } from "@/app/_ui/shell/page-ground";
import { AppBar } from "@/app/_ui/shell/top-bar";

export const UnreadableRun = () => (
  <>
    <AppBar />
    <PageGround>
      <EmptyState icon={<FileWarning size={32} aria-hidden />} title="This run cannot be read">
        <p>Its stored record is damaged. Start the run again. The log of the server has the reason.</p>
        <Link href="/runs" className={buttonClass("primary")}>
          Go to the runs
        </Link>
      </EmptyState>
    </PageGround>
  </>
);
