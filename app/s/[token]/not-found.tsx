import { Unlink } from "lucide-react";
import { VisitorBar } from "@/app/_share/shared-bar";
import { EmptyState } from "@/app/_ui/controls/empty-state";
import { PageGround } from "@/app/_ui/shell/page-ground";

export default function UnusableLink() {
  return (
    <>
      <VisitorBar />
      <PageGround>
        <EmptyState icon={<Unlink size={32} aria-hidden />} title="This link cannot be used">
          <p>It was revoked, has expired, or is incomplete. Ask the person who sent it for a new one.</p>
        </EmptyState>
      </PageGround>
    </>
  );
}
