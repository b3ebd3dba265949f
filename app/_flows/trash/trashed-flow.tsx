"use client";
import { Trash2, Undo2 } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button, buttonClass } from "../../_ui/controls/button";
import { EmptyState } from "../../_ui/controls/empty-state";
import { PageGround } from "../../_ui/shell/page-ground";
import { AppBar } from "../../_ui/shell/top-bar";
import { showError } from "../../_ui/toast/show-error";
import { restoreFlow } from "./restore-flow";

/**
 * In place of the editor of a flow that is in the trash. It contains the bar because a page that rendered it would tie it to
 * the scripts of the editor: every list with links to flows would load them ahead.
 */
export function TrashedFlow({ id, name }: { id: string; name: string }) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const restore = async (): Promise<void> => {
    setPending(true);
    try {
      await restoreFlow(id);
      router.refresh();
    } catch (error) {
      showError(error);
      setPending(false);
    }
  };
  return (
    <>
      <AppBar />
      <PageGround>
        <EmptyState icon={<Trash2 size={32} aria-hidden />} title={`“${name}” is in the trash`}>
          <p>Restore it to edit and run it again. Its runs can be read until it is deleted for good.</p>
          <div className="flex flex-wrap justify-center gap-2">
            <Link href={`/runs?flow=${id}`} className={buttonClass()}>
              Show its runs
            </Link>
            <Button variant="primary" pending={pending} onClick={() => void restore()}>
              <Undo2 size={14} aria-hidden /> Restore
            </Button>
          </div>
        </EmptyState>
      </PageGround>
    </>
  );
}
