import { cancelRun, startRun } from "@/app/_run/start-run";
import { messageOf, RequestError } from "@/app/_ui/loading/fetch-json";
import { isJsonList, isJsonObject } from "@/lib/core/flow/parse-json";
import { runBlockersOf, simulationBlockersOf } from "@/lib/core/flow/problem";
import { storeRunInput } from "../state/run-input";
import type { Session } from "../state/session";
import { isActive, isWorking, type RunFigures, startedRun } from "../state/shown-run";
import { inGroup } from "./editor-command";

export const runCommands = inGroup("Run", [
  {
    id: "run",
    needs: "mayRun",
    title: "Run this flow",
    chords: { editor: ["Ctrl Enter"] },
    disabledIn: "dialog",
    words: "start execute",
    run: (session) => void requestRun(session),
  },
  {
    id: "simulate",
    needs: "mayRun",
    title: "Simulate this run",
    chords: { editor: ["Ctrl Shift Enter"] },
    disabledIn: "dialog",
    words: "start demo test without key model",
    run: (session) => void requestRun(session, { simulate: true }),
  },
  {
    id: "stop-run",
    needs: "mayRun",
    title: "Stop the run",
    chords: { editor: ["Esc"] },
    disabledIn: "text-field",
    words: "cancel end",
    run: (session) => void stopRun(session),
    when: ({ view }) => isActive(view.getState().figures?.status) && view.getState().run !== null,
  },
  {
    id: "run-panel",
    title: "Show or hide the run panel",
    words: "steps answers last result",
    run: toggleRunPanel,
    when: ({ view }) => view.getState().figures !== null,
  },
  {
    id: "hide-run",
    title: "Hide the run from the canvas",
    words: "close clear status",
    run: hideRun,
    when: ({ view }) => view.getState().run !== null,
  },
]);

/** Shows a run on the canvas; the strip displays its figures until its steps are loaded. */
export const showRun = ({ view }: Session, figures: RunFigures): void =>
  view.setState(({ runPanel }) => ({
    run: figures.id,
    figures,
    runPanel: runPanel === "closed" ? "open" : runPanel,
  }));

export function toggleRunPanel({ view }: Session): void {
  const { run, runPanel, figures } = view.getState();
  if (runPanel !== "closed") view.setState({ runPanel: "closed" });
  else if (figures) view.setState({ runPanel: "open", run: run ?? figures.id });
}

function hideRun({ view }: Session): void {
  view.setState({ run: null, runPanel: "closed" });
}

export async function stopRun({ view, notify }: Session): Promise<void> {
  const { run } = view.getState();
  if (run === null) return;
  await cancelRun(run).catch((error: unknown) => notify.error(messageOf(error)));
}

/** The first run of a flow without an input is probably a mistake; a second request means it. */
function asksForInput({ view }: Session): boolean {
  const { runInput, figures, isInputMissing } = view.getState();
  const isMissing = runInput.trim() === "" && figures === null && !isInputMissing;
  if (isMissing) view.setState({ isInputMissing: true, dialog: null });
  return isMissing;
}

/** What a flow from elsewhere reaches, where that is why it was not run. */
function findReach(error: unknown): string[] | null {
  const details = error instanceof RequestError && isJsonObject(error.details) ? error.details : {};
  return isJsonList(details.reach) ? details.reach.filter((line) => typeof line === "string") : null;
}

/**
 * Saves the flow and runs it on the input of the strip; unless a run is at work, something blocks it, or the input is asked
 * for first.
 */
export async function requestRun(session: Session, { simulate = false } = {}): Promise<void> {
  const { editor, autosave, drafts, view, notify, seed } = session;
  const { preparing, run, figures, ownKeys } = view.getState();
  if (preparing) return;
  if (run !== null && isWorking(figures?.status)) return notify.info("This flow is running. Stop it first, or wait.");
  drafts.commitAll();
  const { problems } = editor.store.getState();
  if ((simulate ? simulationBlockersOf(problems) : runBlockersOf(problems)).length > 0)
    return view.setState({ dialog: "blocked" });
  if (asksForInput(session)) return;
  view.setState({ dialog: null, preparing: true, isInputMissing: false });
  try {
    if (!(await autosave.flush()))
      return notify.error("The flow could not be saved, and only saved flows can run. See the save state above.");
    const { runInput: input } = view.getState();
    const { revision } = autosave.store.getState();
    const id = await startRun(seed.id, { input, revision, simulate, ...(ownKeys && !simulate && { ownKeys }) });
    storeRunInput(seed.id, input);
    showRun(session, startedRun(id, simulate));
  } catch (error) {
    const reach = findReach(error);
    if (reach) view.setState({ surface: { type: "reach", reach, simulate } });
    else notify.error(messageOf(error));
  } finally {
    view.setState({ preparing: false });
  }
}
