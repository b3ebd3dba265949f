import { useState } from "react";
import { useAccess } from "../_ui/access/access";
import { Dialog } from "../_ui/controls/dialog";
import { LoadProblem } from "../_ui/controls/load-problem";
import { useLoaded } from "../_ui/loading/use-loaded";
import { GalleryChoice } from "./gallery-choice";
import { LinkForm } from "./link-form";
import { LinkList } from "./link-list";
import { NewLinkPane } from "./new-link-pane";
import { requestLinks, type ShareTarget } from "./share-requests";

interface ShareDialogProps {
  target: ShareTarget;
  onClose(): void;
}

const descriptions = {
  flow: "Everyone who has a link sees this flow, without an account: its published version, or the newest where none is published.",
  run: "Everyone who has a link sees this run, without an account: as much of it as the link shares.",
} as const;

/** The links to a flow or run, and new ones. */
export default function ShareDialog({ target, onClose }: ShareDialogProps) {
  const { mayManage } = useAccess();
  const [created, setCreated] = useState<string | null>(null);
  const [changes, setChanges] = useState(0);
  const reload = (): void => setChanges((count) => count + 1);
  const { value, problem, retry } = useLoaded({ key: `${target.type} ${target.id} ${changes}` }, (signal) =>
    requestLinks(target, signal),
  );
  const [links, setLinks] = useState(value);
  if (value !== null && value !== links) setLinks(value);
  return (
    <Dialog open onOpenChange={onClose} title={`Share “${target.name}”`} description={descriptions[target.type]}>
      <div className="flex flex-col gap-5">
        {created === null ? (
          <LinkForm
            target={target}
            onCreated={(url) => {
              setCreated(url);
              reload();
            }}
          />
        ) : (
          <NewLinkPane target={target} url={created} onAnother={() => setCreated(null)} />
        )}
        {target.type === "flow" && mayManage && <GalleryChoice flowId={target.id} />}
        {problem !== null ? (
          <LoadProblem onRetry={retry}>The links could not be loaded: {problem}</LoadProblem>
        ) : (
          <LinkList links={links ?? []} target={target} onRevoked={reload} />
        )}
      </div>
    </Dialog>
  );
}
