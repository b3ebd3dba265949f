import { CircleCheck, Rocket } from "lucide-react";
import dynamic from "next/dynamic";
import { Button } from "@/app/_ui/controls/button";
import { loadPart } from "@/app/_ui/loading/load-part";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import { requestPublication } from "@/app/_versions/publication";
import { countNouns } from "@/lib/core/flow/format-count";
import { useSaveState, useSession, useView } from "../../state/session-context";

const PublishDialog = dynamic(() => loadPart(() => import("./publish-dialog")), { ssr: false });

/** Whether the newest version is published, and the way to publish it. */
export default function PublishButton() {
  const { seed, view } = useSession();
  const revision = useSaveState((state) => state.revision);
  const isSaved = useSaveState((state) => state.phase === "saved");
  const surface = useView((state) => state.surface?.type);
  // In the list of versions another one may be published.
  const key = `${revision} ${surface === "versions"}`;
  const { value, retry } = useLoaded({ key }, (signal) => requestPublication(seed.id, signal));
  const published = value?.published ?? null;
  const isCurrent = value?.isCurrent === true && isSaved;
  const saves = value && published ? value.latest.number - published.number : 0;
  const Icon = isCurrent ? CircleCheck : Rocket;
  return (
    <>
      <Button
        size="small"
        variant={isCurrent ? "ghost" : "secondary"}
        className="max-lg:hidden"
        data-hint={
          published
            ? `API keys, schedules and webhooks run v${published.number}${saves > 0 ? `, not the ${countNouns(saves, "save")} since` : ""}`
            : "API keys, schedules and webhooks run the newest version"
        }
        onClick={() => view.setState({ surface: { type: "publish" } })}
      >
        <Icon size={14} aria-hidden className={isCurrent ? "text-success" : ""} />
        {isCurrent ? `Published v${published?.number}` : "Publish"}
        {saves > 0 && !isCurrent && (
          <span className="rounded bg-surface-hover px-1 text-text-muted tabular-nums">
            <span aria-hidden>{saves}</span>
            <span className="sr-only">
              , {countNouns(saves, "save")} since v{published?.number}
            </span>
          </span>
        )}
      </Button>
      {surface === "publish" && (
        <PublishDialog
          onClose={() => {
            view.setState({ surface: null });
            retry();
          }}
        />
      )}
    </>
  );
}
