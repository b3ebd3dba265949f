"use client";

import { TriangleAlert } from "lucide-react";
import { Button } from "@/app/_ui/controls/button";
import { EmptyState } from "@/app/_ui/controls/empty-state";

export default function FlowError({ retry }: { error: unknown; retry: () => void }) {
  return (
    <EmptyState icon={<TriangleAlert size={32} aria-hidden />} title="This flow could not be shown">
      <p role="alert">Everything that was saved is still there. Try again, or go back to the list.</p>
      <Button variant="primary" onClick={retry}>
        Try again
      </Button>
    </EmptyState>
  );
}
