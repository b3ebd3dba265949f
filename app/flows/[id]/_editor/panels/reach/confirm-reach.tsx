import { Bot, ShieldAlert, Wrench } from "lucide-react";
import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { DialogProblem } from "@/app/_ui/controls/field";
import { fetchText } from "@/app/_ui/loading/fetch-json";
import { useSubmit } from "@/app/_ui/loading/use-submit";
import { requestRun } from "../../commands/run-commands";
import { useSession } from "../../state/session-context";

interface ConfirmReachProps {
  reach: readonly string[];
  simulate: boolean;
}

/** Before the first run of a flow from elsewhere: what it reaches beside the flow. */
export default function ConfirmReach({ reach, simulate }: ConfirmReachProps) {
  const session = useSession();
  const { pending, problem, perform } = useSubmit({ leaves: true });
  const close = (): void => session.view.setState({ surface: null });
  const confirm = async (): Promise<void> => {
    await fetchText(`/api/v1/flows/${session.seed.id}/reach`, { json: { reach } });
    close();
    void requestRun(session, { simulate });
  };
  return (
    <Dialog
      open
      onOpenChange={close}
      title="This flow comes from elsewhere"
      description="Before its first run, check what it reaches. You are asked again when it reaches more."
    >
      <ul aria-label="What it reaches" className="divide-y rounded-md border">
        {reach.map((line) => (
          <ReachLine key={line} line={line} />
        ))}
      </ul>
      <DialogProblem problem={problem} />
      <DialogActions>
        <Button onClick={close}>Not now</Button>
        <Button variant="primary" pending={pending} onClick={() => void perform(confirm)}>
          Allow it and run
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const toolWords: Readonly<Record<string, string>> = {
  read_page: "reads pages that come with this app",
  http_request: "sends requests to other servers",
  web_search: "searches the web",
  file_read: "reads files of the workspace",
  file_write: "writes files of the workspace",
  apply_patch: "changes files of the workspace",
  get_diffs: "reads changes of the workspace",
  dependency_graph: "reads the code of the workspace",
};

function ReachLine({ line }: { line: string }) {
  const [type = "", name = "", ...unapproved] = line.split(" ");
  const Icon = unapproved.length > 0 ? ShieldAlert : type === "model" ? Bot : Wrench;
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <Icon size={16} aria-hidden className={unapproved.length > 0 ? "text-warning" : "text-text-muted"} />
      <span>
        {type === "model" ? (
          <>
            asks models of <strong>{name}</strong>, with the key of this team
          </>
        ) : (
          <>
            <code className="font-mono text-[0.92em]">{name}</code>
            {toolWords[name] !== undefined && `: ${toolWords[name]}`}
            {unapproved.length > 0 && <strong className="text-warning">, without asking anyone</strong>}
          </>
        )}
      </span>
    </li>
  );
}
