import ExportDialog from "@/app/_formats/export-dialog";
import { useEditorState, useSession } from "../../state/session-context";

export default function EditorExport() {
  const { view } = useSession();
  const text = useEditorState((state) => state.text);
  const flow = useEditorState((state) => state.flow);
  const layout = useEditorState((state) => state.layout);
  return <ExportDialog source={{ text, flow, layout }} onClose={() => view.setState({ surface: null })} />;
}
