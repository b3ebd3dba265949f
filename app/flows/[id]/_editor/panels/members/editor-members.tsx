import FlowMembersDialog from "@/app/_flows/members/flow-members-dialog";
import { useEditorState, useSession } from "../../state/session-context";

/** Who may do what in this flow. */
export default function EditorMembers() {
  const { seed, view } = useSession();
  const name = useEditorState(({ flow }) => flow.name);
  return <FlowMembersDialog flow={{ id: seed.id, name }} onClose={() => view.setState({ surface: null })} />;
}
