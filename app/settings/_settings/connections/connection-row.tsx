import { CircleCheck, CircleDashed, PlugZap, Trash2, TriangleAlert } from "lucide-react";
import type { ConnectionDetail } from "@/lib/server/connections/queries";
import { TestResults } from "../../../_connections/test-results";
import { useConnectionTest } from "../../../_connections/use-connection-test";
import { Button } from "../../../_ui/controls/button";
import { IconButton } from "../../../_ui/controls/icon-button";
import { RelativeTime } from "../../../_ui/format/relative-time";

interface ConnectionRowProps {
  connection: ConnectionDetail;
  onEnter(): void;
  onRemove(): void;
}

/** One provider: its state, what is known of its connection, and what can be done. */
export function ConnectionRow({ connection, onEnter, onRemove }: ConnectionRowProps) {
  const { provider, label, source, problem, needsKey } = connection;
  const test = useConnectionTest(provider);
  const isProven = test.state.type === "tested" && test.state.result.ok;
  const noun = needsKey ? "key" : "address";
  const action = source === "entered" ? "Change" : `Enter ${noun}`;
  return (
    <li aria-label={label} className="flex flex-col gap-2 border-line px-4 py-3 not-last:border-b">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span
          aria-hidden
          className="mt-0.5 grid size-7.5 shrink-0 place-items-center self-start rounded-md border border-line-strong bg-surface-sunken font-mono font-semibold text-text-muted text-xs"
        >
          {label.charAt(0)}
        </span>
        <div className="min-w-0 flex-1 basis-60">
          <div className="flex flex-wrap items-center gap-x-2">
            <h3 className="font-semibold text-sm">{label}</h3>
            <ConnectionState connection={connection} isProven={isProven} />
          </div>
          <ConnectionFacts connection={connection} />
        </div>
        <div className="flex items-center gap-1 max-sm:w-full max-sm:flex-row-reverse max-sm:justify-end max-sm:pl-10.5">
          {source !== null && problem === null && (
            <Button
              size="small"
              variant="ghost"
              aria-label={`Test ${label}`}
              disabled={test.state.type === "pending"}
              onClick={() => test.start()}
            >
              <PlugZap size={14} aria-hidden /> Test
            </Button>
          )}
          <Button size="small" aria-label={`${action} for ${label}`} onClick={onEnter}>
            {action}…
          </Button>
          {source === "entered" && (
            <IconButton label={`Remove the connection to ${label}`} onClick={onRemove}>
              <Trash2 size={14} aria-hidden />
            </IconButton>
          )}
        </div>
      </div>
      <TestResults state={test.state} onCancel={test.cancel} onModel={(model) => test.start({ model })} />
    </li>
  );
}

const states = {
  entered: { word: "Connected", icon: CircleCheck, colors: "bg-success-soft text-success" },
  untested: { word: "Not tested", icon: CircleDashed, colors: "bg-idle-soft text-idle" },
  environment: { word: "From the environment", icon: CircleCheck, colors: "bg-success-soft text-success" },
  none: { word: "Not set up", icon: CircleDashed, colors: "bg-idle-soft text-idle" },
  problem: { word: "Enter it again", icon: TriangleAlert, colors: "bg-warning-soft text-warning" },
} as const;

interface ConnectionStateProps {
  connection: ConnectionDetail;
  /** It was tested just now, and works. */
  isProven: boolean;
}

function toState({ connection, isProven }: ConnectionStateProps): keyof typeof states {
  const { source, problem, lastUsedAt } = connection;
  if (problem !== null) return "problem";
  if (source === "entered" && lastUsedAt === null && !isProven) return "untested";
  return source ?? "none";
}

function ConnectionState(props: ConnectionStateProps) {
  const { word, icon: Icon, colors } = states[toState(props)];
  return (
    <span className={`inline-flex h-5 shrink-0 items-center gap-1 rounded-full px-2 font-medium text-xs ${colors}`}>
      <Icon size={12} aria-hidden />
      {word}
    </span>
  );
}

function ConnectionFacts({ connection }: { connection: ConnectionDetail }) {
  const { source, problem, environment, needsKey, hasKey, lastFour, baseUrl, ownUrl } = connection;
  const variable = needsKey ? environment.key : environment.url;
  if (source === null)
    return (
      <p className="text-text-muted [overflow-wrap:anywhere]">
        Enter {needsKey ? "a key" : "an address"} here, or set <code className="font-mono text-xs">{variable}</code> and
        restart the server.
      </p>
    );
  return (
    <div className="flex flex-col text-text-muted">
      <p className="flex flex-wrap gap-x-3">
        {hasKey ? (
          <span>
            Key{" "}
            <span className="font-mono text-xs">
              <span aria-hidden>••••</span>
              {lastFour === "" ? <span className="sr-only">hidden</span> : lastFour}
            </span>
          </span>
        ) : (
          <span>No key</span>
        )}
        {baseUrl !== null && baseUrl !== ownUrl && (
          <span className="font-mono text-xs leading-5 [overflow-wrap:anywhere]">{baseUrl}</span>
        )}
      </p>
      {source === "entered" ? (
        <EnteredFacts connection={connection} />
      ) : (
        <p>
          Set by <code className="font-mono text-xs">{variable}</code>. What you enter here takes its place.
        </p>
      )}
      {problem !== null && <p className="text-warning">{problem}</p>}
    </div>
  );
}

function EnteredFacts({ connection }: { connection: ConnectionDetail }) {
  const { enteredBy, enteredAt, lastUsedAt, environment, needsKey } = connection;
  return (
    <>
      <p className="flex flex-wrap gap-x-3">
        {enteredAt !== null && (
          <span>
            Entered by {enteredBy === "You" ? "you" : enteredBy} <RelativeTime at={enteredAt} />
          </span>
        )}
        <span>{lastUsedAt === null ? "Not used yet" : <LastUse at={lastUsedAt} />}</span>
      </p>
      {environment.isSet && (
        <p>
          Takes the place of <code className="font-mono text-xs">{needsKey ? environment.key : environment.url}</code>{" "}
          of the environment.
        </p>
      )}
    </>
  );
}

const LastUse = ({ at }: { at: number }) => (
  <>
    Last used <RelativeTime at={at} />
  </>
);
