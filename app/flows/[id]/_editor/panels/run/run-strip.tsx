import { FlaskConical, KeyRound, Play, Square } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { MessageText } from "@/app/_ui/text/message-text";
import { runBlockersOf } from "@/lib/core/flow/problem";
import { commandKeys } from "../../commands/registry";
import { requestRun, stopRun } from "../../commands/run-commands";
import { useEditorState, useSession, useView } from "../../state/session-context";
import { isActive, isWorking } from "../../state/shown-run";
import { RunInput } from "./run-input";
import { RunSummary } from "./run-summary";

/** At the foot of the editor: the last run, the input, and what starts and stops a run. */
export function RunStrip() {
  const { access } = useSession();
  return (
    <section
      aria-label="Run this flow"
      className="@container relative z-20 flex h-13 shrink-0 items-center gap-2 border-line border-t bg-surface px-2"
    >
      <RunSummary />
      {access.mayRun ? (
        <>
          <RunInput />
          <RunButtons />
        </>
      ) : (
        <p className="min-w-0 flex-1 truncate text-text-muted">Your role in this flow does not start runs.</p>
      )}
    </section>
  );
}

function RunButtons() {
  const session = useSession();
  const preparing = useView((view) => view.preparing);
  const status = useView(({ run, figures }) => (run === null ? undefined : figures?.status));
  return isWorking(status) ? (
    <StopButton />
  ) : (
    <>
      {isActive(status) ? (
        <StopButton />
      ) : (
        <Button
          aria-label="Simulate"
          data-hint={`Run on simulated models: no key, no cost; tools are called (${commandKeys("simulate")})`}
          disabled={preparing}
          className="@max-3xl:px-2"
          onClick={() => void requestRun(session, { simulate: true })}
        >
          <FlaskConical size={14} aria-hidden />
          <span className="@max-3xl:hidden">Simulate</span>
        </Button>
      )}
      <OwnKeysSwitch />
      <RunButton preparing={preparing} />
    </>
  );
}

/** There is one for users with keys of their own. */
function OwnKeysSwitch() {
  const { seed, setOwnKeys } = useSession();
  const isOn = useView(({ ownKeys }) => ownKeys);
  const own = seed.ownProviders ?? [];
  if (own.length === 0) return null;
  return (
    <Button
      aria-label="Use my own keys"
      aria-pressed={isOn}
      data-hint={`Run with your own keys (${own.join(", ")}) in place of the team's`}
      className={`@max-3xl:px-2 ${isOn ? "border-accent! bg-accent-soft! text-accent-text!" : ""}`}
      onClick={() => setOwnKeys(!isOn)}
    >
      <KeyRound size={14} aria-hidden />
      <span className="@max-3xl:hidden">My keys</span>
    </Button>
  );
}

function RunButton({ preparing }: { preparing: boolean }) {
  const session = useSession();
  const blocker = useEditorState(({ problems }) => runBlockersOf(problems)[0]?.message ?? null);
  return (
    <>
      <Button
        aria-label="Run"
        data-hint={blocker === null ? `Save and run (${commandKeys("run")})` : `Cannot run yet: ${blocker}`}
        variant="primary"
        pending={preparing}
        aria-describedby={blocker === null ? undefined : "run-blocker"}
        onClick={() => void requestRun(session)}
      >
        {!preparing && <Play size={14} aria-hidden className="fill-current" />}
        <span className="@max-md:hidden">Run</span>
        <Key className="border-on-accent/40 @max-2xl:hidden">Ctrl ↵</Key>
      </Button>
      {blocker !== null && (
        <span id="run-blocker" hidden>
          Cannot run yet: <MessageText text={blocker} />
        </span>
      )}
    </>
  );
}

/** A second click on the button that has just started a run must not stop it. */
const guardMs = 500;

function StopButton() {
  const session = useSession();
  const [isGuarded, setGuarded] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setGuarded(false), guardMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Button
      aria-label="Stop"
      data-hint={`Stop the run (${commandKeys("stop-run")})`}
      aria-disabled={isGuarded || undefined}
      onClick={isGuarded ? undefined : () => void stopRun(session)}
    >
      <Square size={12} aria-hidden className="fill-current" />
      <span className="@max-md:hidden">Stop</span>
      <Key className="border-line-strong text-text-muted @max-2xl:hidden">Esc</Key>
    </Button>
  );
}

const Key = ({ className, children }: { className: string; children: ReactNode }) => (
  <kbd
    aria-hidden
    className={`rounded border px-1 font-normal font-sans text-[11px] leading-4 pointer-coarse:hidden ${className}`}
  >
    {children}
  </kbd>
);
