import { useEffect, useRef } from "react";
import { formatCount } from "@/lib/core/flow/format-count";
import type { FlowPage } from "@/lib/server/flows/list-flows";
import { Button } from "../../_ui/controls/button";
import { mostShown } from "./list-address";

interface ListEndProps {
  page: FlowPage;
  shown: number;
  isLoading: boolean;
  onShow(): void;
}

/** What follows the flows that are shown, where more match. */
export function ListEnd({ page: { flows, matching }, shown, isLoading, onShow }: ListEndProps) {
  if (matching <= flows.length) return null;
  if (shown < mostShown) return <ShowMore count={matching - flows.length} isLoading={isLoading} onShow={onShow} />;
  return (
    <p className="text-center text-text-muted">
      {mostShown} of {matching} flows. Search to find the others.
    </p>
  );
}

interface ShowMoreProps {
  count: number;
  isLoading: boolean;
  onShow(): void;
}

/** Shows more as soon as it comes into view. */
function ShowMore({ count, isLoading, onShow }: ShowMoreProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) button.current?.click();
    });
    if (button.current && !isLoading) observer.observe(button.current);
    return () => observer.disconnect();
  }, [isLoading]);
  return (
    <Button ref={button} className="mx-auto mt-2" pending={isLoading} onClick={onShow}>
      {formatCount(count)} more
    </Button>
  );
}
