import { Waypoints } from "lucide-react";
import { Button } from "@/app/_ui/controls/button";
import { MessageText } from "@/app/_ui/text/message-text";
import type { Problem } from "@/lib/core/flow/problem";
import { useEditorState, useSession } from "../../state/session-context";

export default function DraftBanner({ problem }: { problem: Problem }) {
  const { camera, actions, editor } = useSession();
  const nodes = useEditorState(({ arrangement }) => arrangement.nodes);
  const keys = nodes.flatMap(({ key }) => (problem.nodes?.includes(key) ? [key] : []));
  const show = (): void => {
    editor.select(keys);
    camera.fit(keys);
  };
  return (
    <section
      aria-label="Draft"
      className="pointer-events-auto absolute bottom-16 left-1/2 z-10 flex w-[min(36rem,calc(100%-1.5rem))] -translate-x-1/2 items-start gap-2 rounded-lg border border-warning bg-warning-soft px-3 py-2 text-xs"
    >
      <Waypoints size={15} aria-hidden className="mt-0.5 shrink-0 text-warning" />
      <div className="min-w-0 flex-1">
        <p>
          <MessageText text={problem.message} />
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          {problem.repairs?.map(({ title, edit }) => (
            <Button key={title} size="small" onClick={() => actions.edit(edit)}>
              {title}
            </Button>
          ))}
          {keys.length > 0 && (
            <Button size="small" onClick={show}>
              Show {keys.length === 4 ? "the four" : "them"}
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}
