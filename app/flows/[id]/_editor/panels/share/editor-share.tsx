import ShareDialog from "@/app/_share/share-dialog";
import { useEditorState, useSession } from "../../state/session-context";

export default function EditorShare() {
  const { seed, view } = useSession();
  const name = useEditorState(({ flow }) => flow.name);
  return <ShareDialog target={{ type: "flow", id: seed.id, name }} onClose={() => view.setState({ surface: null })} />;
}
