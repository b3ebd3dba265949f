import { FlaskConical, KeyRound } from "lucide-react";
import { loadConnectionDialog } from "@/app/_connections/lazy-connection-dialog";
import { Button } from "@/app/_ui/controls/button";
import type { Problem } from "@/lib/core/flow/problem";
import { requestRun } from "../../commands/run-commands";
import { useSession } from "../../state/session-context";

/** The ways out of a provider without a key: add one, or run on simulated models. */
export function MissingKeyFixes({ problem: { provider } }: { problem: Problem }) {
  const session = useSession();
  return (
    <>
      {provider !== undefined && (
        <Button
          size="small"
          onPointerEnter={() => void loadConnectionDialog()}
          onClick={() =>
            session.view.setState({ dialog: null, surface: { type: "connect", provider, runsThen: true } })
          }
        >
          <KeyRound size={14} aria-hidden /> Add a key…
        </Button>
      )}
      <Button size="small" onClick={() => void requestRun(session, { simulate: true })}>
        <FlaskConical size={14} aria-hidden /> Simulate
      </Button>
    </>
  );
}
