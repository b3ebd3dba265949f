import type { StoreApi } from "zustand/vanilla";
import type { CheckPattern, ProviderOffer, ToolOffer } from "@/lib/core/check/check-flow";
import type { Layout } from "@/lib/core/flow/edit";
import type { ModelOffer } from "@/lib/core/flow/model-support";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import { type CanvasStore, createCanvasStore } from "../../../../_canvas/state/canvas-store";
import { createNodeStatuses } from "../../../../_canvas/state/node-statuses";
import { announceEditor } from "../shell/announce/announce-editor";
import { type Announcer, createAnnouncer } from "./announcer";
import { createPatternCheck } from "./checks/pattern-check";
import { createPriceCheck } from "./checks/price-check";
import { createEditor, type Editor } from "./editor/editor";
import { type Commands, createCommands } from "./flow-actions";
import { createOpenDrafts, type OpenDrafts } from "./open-drafts";
import { type Autosave, createAutosave, type SaveWire } from "./save/autosave-driver";
import { startLocalBackup, watchNetwork } from "./save/local-backup";
import { resolveConflict } from "./save/resolve-conflict";
import { createView, type View } from "./view";

/** What the server gives an editor to begin with. */
export interface Seed {
  id: string;
  source: string;
  layout: Layout;
  revision: string;
  providers: readonly ProviderOffer[];
  tools: readonly ToolOffer[];
  /** A few models of every provider; the others are asked for. */
  models: readonly ModelOffer[];
  /** What a run may cost at most on this server, in US dollars. */
  costCeiling?: number | undefined;
  /** The run that the address names, else one of this flow that has not ended yet. */
  shownRun: string | null;
  /** The node that the address names. */
  selected?: string | null;
  /** The newest run of this flow, for trying conditions. */
  lastRun: string | null;
  /** What the last run was asked; empty when there was none. */
  lastInput: string;
}

/** How the editor says something in passing. */
export interface Notify {
  error(message: string): void;
  info(message: string): void;
}

/** Everything that one mounted editor owns. */
export interface Session {
  seed: Seed;
  editor: Editor;
  commands: Commands;
  autosave: Autosave;
  drafts: OpenDrafts;
  canvas: CanvasStore;
  view: StoreApi<View>;
  statuses: StoreApi<NodeStatuses>;
  notify: Notify;
  announcer: Announcer;
  checkPattern: CheckPattern;
  /** Connects the parts with each other; the returned function takes them apart again. */
  start(): () => void;
}

/** What an editor may be given instead of its own. */
export interface Ports {
  /** Where saves go; without it to the server. */
  wire?: SaveWire;
  /** What it shows of itself at first. */
  view?: Partial<View>;
}

export function createSession(seed: Seed, notify: Notify, ports: Ports = {}): Session {
  const { id, source, layout, revision, providers, tools } = seed;
  const checkPattern = createPatternCheck(() => editor.recheck());
  const offer = {
    providers,
    tools: tools.map((tool) => tool.name),
    checkPattern,
    isPriced: createPriceCheck(providers, () => editor.recheck()),
    costCeiling: seed.costCeiling,
  };
  const editor = createEditor(source, layout, offer, notify.info);
  const view = createView(seed.shownRun);
  const named = editor.store.getState().arrangement.nodes.find(({ key }) => key === seed.selected);
  if (named) editor.select([named.key]);
  if (ports.view) view.setState(ports.view);
  const canvas = createCanvasStore(editor);
  const announcer = createAnnouncer();
  const autosave = createAutosave(id, { source, layout }, revision, ports.wire);
  const commands = createCommands(editor, { view, canvas, defaultModel: chooseModel(providers), notify: notify.error });
  return {
    seed,
    editor,
    commands,
    autosave,
    drafts: createOpenDrafts(),
    canvas,
    view,
    statuses: createNodeStatuses(),
    notify,
    announcer,
    checkPattern,
    start() {
      const stopSpeaking = announceEditor(announcer, editor);
      const stopCanvas = canvas.follow();
      const kept = ports.wire ? null : startLocalBackup({ flowId: id, editor, autosave, onNotice: notify.info });
      const stopWatching = watchForNewer(autosave, editor, kept?.restored);
      const stopNetwork = watchNetwork(autosave);
      const stopAsking = autosave.store.subscribe(({ phase }, before) => {
        if (phase === before.phase) return;
        if (phase === "emptying") view.setState({ dialog: phase });
        if (phase === "conflict") void resolveConflict({ autosave, editor, view, onNotice: notify.info });
      });
      const stopAddress = view.subscribe(({ run }, before) => {
        if (run !== before.run) writeAddress(run);
      });
      const stopSaving = editor.store.subscribe(({ text, layout: pins }, before) => {
        if (text !== before.text || pins !== before.layout)
          autosave.apply({ type: "edited", current: { source: text, layout: pins } });
      });
      return () => {
        stopCanvas();
        stopSpeaking();
        stopSaving();
        stopAddress();
        stopAsking();
        stopWatching();
        stopNetwork();
        kept?.stop();
        autosave.flushOnLeave();
        autosave.stop();
        editor.stop();
      };
    },
  };
}

/** Keeps the run that is shown in the address, so that a reload shows it again, ended or not. */
function writeAddress(run: string | null): void {
  const address = new URL(location.href);
  if (run === null) address.searchParams.delete("run");
  else address.searchParams.set("run", run);
  history.replaceState(null, "", address);
}

/** The model of a first agent: of a provider that can be used now, rather a real one than the simulated one. */
function chooseModel(providers: readonly ProviderOffer[]): string {
  const usable = providers.filter((provider) => provider.available && provider.models.length > 0);
  const chosen = usable.find((provider) => provider.id !== "demo") ?? usable[0];
  return chosen ? `${chosen.id}:${chosen.models[0]}` : "demo:agent";
}

/**
 * Shows what another tab saved, when this one is opened (and `restored` is done) or looked at again and has nothing of its
 * own to save.
 */
function watchForNewer(autosave: Autosave, editor: Editor, restored: Promise<void> = Promise.resolve()): () => void {
  const look = async (): Promise<void> => {
    if (document.visibilityState !== "visible") return;
    const theirs = await autosave.findNewer();
    if (!theirs) return;
    autosave.apply({ type: "caught-up", theirs });
    editor.replace(theirs.source, theirs.layout);
  };
  void restored.then(look);
  document.addEventListener("visibilitychange", look);
  return () => document.removeEventListener("visibilitychange", look);
}
