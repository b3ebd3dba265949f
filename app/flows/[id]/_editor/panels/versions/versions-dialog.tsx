import { useState } from "react";
import { Dialog } from "@/app/_ui/controls/dialog";
import { LoadProblem } from "@/app/_ui/controls/load-problem";
import { messageOf } from "@/app/_ui/loading/fetch-json";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import { requestPublication } from "@/app/_versions/publication";
import { useSession } from "../../state/session-context";
import { requestVersions, type Version } from "./request-versions";
import { VersionDetail } from "./version-detail";
import { VersionList } from "./version-list";

/** The stored versions of the flow: who saved them, when, what changed; each can be compared, named and restored. */
export default function VersionsDialog({ chosenFirst }: { chosenFirst?: string | undefined }) {
  const { seed, autosave, view } = useSession();
  const [chosen, setChosen] = useState<string | null>(chosenFirst ?? null);
  const [more, setMore] = useState<MorePages>({ versions: [], next: undefined, problem: null });
  const { value, problem, retry } = useLoaded({ key: seed.id }, async (signal) => {
    // What was just edited is a version, too.
    await autosave.flush();
    const [page, publication] = await Promise.all([
      requestVersionsWith(seed.id, chosenFirst, signal),
      requestPublication(seed.id, signal),
    ]);
    return { ...page, publication };
  });
  const close = (): void => view.setState({ surface: null });
  const versions = value ? [...value.revisions, ...more.versions] : null;
  const next = more.next === undefined ? (value?.next ?? null) : more.next;
  const shown = versions?.find(({ id }) => id === chosen) ?? versions?.[1] ?? versions?.[0];
  const showMore = async (): Promise<void> => {
    try {
      const page = await requestVersions(seed.id, next);
      setMore({ versions: [...more.versions, ...page.revisions], next: page.next, problem: null });
    } catch (error) {
      setMore({ ...more, problem: messageOf(error) });
    }
  };
  return (
    <Dialog
      open
      wide="gallery"
      onOpenChange={close}
      title="Versions"
      description="Every save is kept. Restoring one is a new version: nothing is lost."
    >
      {problem !== null ? (
        <LoadProblem onRetry={retry}>The versions could not be loaded: {problem}</LoadProblem>
      ) : !value || !versions || !shown ? (
        <p className="text-text-muted">Reading the versions…</p>
      ) : (
        <div className="grid gap-4 max-md:grid-rows-[160px_auto] md:h-full md:grid-cols-[280px_1fr]">
          <VersionList
            versions={versions}
            published={value.publication.published?.id}
            shown={shown.id}
            onShow={setChosen}
            onMore={next === null ? null : () => void showMore()}
            problem={more.problem}
          />
          <VersionDetail
            key={shown.id}
            version={shown}
            versions={versions}
            publication={value.publication}
            onChanged={retry}
            onClose={close}
          />
        </div>
      )}
    </Dialog>
  );
}

/** At most so many pages are read to find a version. */
const mostPages = 10;

/** The newest versions, as far as the one that is to be shown. */
async function requestVersionsWith(flowId: string, id: string | undefined, signal: AbortSignal) {
  let { revisions, next } = await requestVersions(flowId, null, signal);
  for (let pages = 1; id !== undefined && next !== null && pages < mostPages; pages++) {
    if (revisions.some((version) => version.id === id)) break;
    const page = await requestVersions(flowId, next, signal);
    revisions = [...revisions, ...page.revisions];
    next = page.next;
  }
  return { revisions, next };
}

interface MorePages {
  versions: readonly Version[];
  /** Undefined: none was loaded yet. */
  next: string | null | undefined;
  problem: string | null;
}
