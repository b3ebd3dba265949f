import { Waypoints } from "lucide-react";
import { Banner } from "@/app/_ui/controls/banner";
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
      className="pointer-events-auto absolute bottom-16 left-1/2 z-10 w-[min(36rem,calc(100%-1.5rem))] -translate-x-1/2"
    >
      <Banner
        icon={Waypoints}
        className="rounded-lg border"
        actions={
          <>
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
          </>
        }
      >
        <MessageText text={problem.message} />
      </Banner>
    </section>
  );
}
