import { FlaskConical, KeyRound } from "lucide-react";
import { loadConnectionDialog } from "@/app/_connections/lazy-connection-dialog";
import { Button } from "@/app/_ui/controls/button";
import { type Problem, simulationBlockersOf } from "@/lib/core/flow/problem";
import { requestRun } from "../../commands/run-commands";
import type { Session } from "../../state/session";
import { useSession, useView } from "../../state/session-context";

const connect = ({ view }: Session, provider: string, runsThen: boolean): void =>
  view.setState({ dialog: null, surface: { type: "connect", provider, runsThen } });

/** The ways out of a provider without a key: add one, or run on simulated models. */
export function MissingKeyFixes({ problem: { provider } }: { problem: Problem }) {
  const session = useSession();
  return (
    <>
      {provider !== undefined && <OwnKeyButton provider={provider} size="small" />}
      {provider !== undefined && session.access.mayManage && (
        <Button
          size="small"
          onPointerEnter={() => void loadConnectionDialog()}
          onClick={() => connect(session, provider, false)}
        >
          <KeyRound size={14} aria-hidden /> Add a key…
        </Button>
      )}
      <SimulateButton size="small" />
    </>
  );
}

/** The same ways for a dialog: one provider after the other. */
export function MissingKeyActions({ problems }: { problems: readonly Problem[] }) {
  const session = useSession();
  const missing = problems.find(({ code, provider }) => code === "missing-key" && provider !== undefined)?.provider;
  const label = useView(({ providers }) => providers.find(({ id }) => id === missing)?.label);
  if (missing === undefined) return null;
  return (
    <>
      {simulationBlockersOf(problems).length === 0 && <SimulateButton size="medium" />}
      <OwnKeyButton provider={missing} size="medium" />
      {session.access.mayManage && (
        <Button
          variant="primary"
          onPointerEnter={() => void loadConnectionDialog()}
          onClick={() => connect(session, missing, true)}
        >
          <KeyRound size={14} aria-hidden /> Connect {label ?? missing}…
        </Button>
      )}
    </>
  );
}

/** For users with a key of their own for a provider that the team has none for. */
function OwnKeyButton({ provider, size }: { provider: string; size: "medium" | "small" }) {
  const session = useSession();
  if (!session.seed.ownProviders?.includes(provider)) return null;
  const run = (): void => {
    session.setOwnKeys(true);
    void requestRun(session);
  };
  return (
    <Button size={size} onClick={run}>
      <KeyRound size={14} aria-hidden /> Run with my key
    </Button>
  );
}

function SimulateButton({ size }: { size: "medium" | "small" }) {
  const session = useSession();
  return (
    <Button size={size} onClick={() => void requestRun(session, { simulate: true })}>
      <FlaskConical size={14} aria-hidden /> Simulate
    </Button>
  );
}
