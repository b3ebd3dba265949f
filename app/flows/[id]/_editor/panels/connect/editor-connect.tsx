import ConnectionDialog from "@/app/_connections/connection-dialog";
import { requestRun } from "../../commands/run-commands";
import { useSession } from "../../state/session-context";

interface EditorConnectProps {
  provider: string;
  /** The flow runs once the key is entered. */
  runsThen: boolean;
}

/** Asks for the key that the flow lacks. */
export default function EditorConnect({ provider, runsThen }: EditorConnectProps) {
  const session = useSession();
  const close = (): void => session.view.setState({ surface: null });
  return (
    <ConnectionDialog
      provider={provider}
      {...(runsThen && { saveLabel: "Save and run" })}
      onSaved={({ baseUrl, ownUrl }) => {
        close();
        session.connect(provider, baseUrl !== null && baseUrl === ownUrl ? "listed" : "unknown");
        if (runsThen) void requestRun(session);
      }}
      onClose={close}
    />
  );
}
