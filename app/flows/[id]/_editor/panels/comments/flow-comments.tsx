import Link from "next/link";
import Comments from "@/app/_comments/comments";
import type { CommentThread } from "@/app/_comments/requests";
import { useEditorState, useSession, useView } from "../../state/session-context";

export default function FlowComments() {
  const { seed, comments } = useSession();
  const focused = useView((view) => view.comment);
  return (
    <Comments
      flowId={seed.id}
      focused={focused}
      toAbout={(thread) => <About thread={thread} />}
      onLoaded={comments.set}
    />
  );
}

const linkClass = "font-medium text-accent-text underline-offset-2 hover:underline";

/** What a thread is about, with a way there. A node that was renamed or deleted keeps its old name. */
function About({ thread: { target, label } }: { thread: CommentThread }) {
  const { view } = useSession();
  if (target.type === "flow") return null;
  return (
    <p className="text-text-muted text-xs [overflow-wrap:anywhere]">
      on {target.type === "node" && <NodeLink name={target.name} />}
      {target.type === "step" &&
        (label === null ? (
          <span>a step of a run that was deleted</span>
        ) : (
          <Link href={`/runs/${target.run}?node=${target.step}#comments`} className={linkClass}>
            {label}, a step of a run
          </Link>
        ))}
      {target.type === "revision" && (
        <button
          type="button"
          className={linkClass}
          onClick={() => view.setState({ surface: { type: "versions", version: target.id } })}
        >
          version {label}
        </button>
      )}
    </p>
  );
}

function NodeLink({ name }: { name: string }) {
  const { editor, camera } = useSession();
  const key = useEditorState(({ arrangement }) => arrangement.nodes.find((node) => node.name === name)?.key);
  if (key === undefined) return <span>{name}, which is not in the flow any more</span>;
  return (
    <button
      type="button"
      className={linkClass}
      onClick={() => {
        editor.select([key]);
        camera.fit([key]);
      }}
    >
      {name}
    </button>
  );
}
