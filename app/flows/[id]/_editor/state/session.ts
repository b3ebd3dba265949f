import { createStore, type StoreApi } from "zustand/vanilla";
import { createCameraPort } from "@/app/_canvas/state/camera";
import { createCanvasStore } from "@/app/_canvas/state/canvas-store";
import { createNodeStatuses } from "@/app/_canvas/state/node-statuses";
import { type Access, fullAccess } from "@/app/_ui/access/access";
import type { toast } from "@/app/_ui/toast/toast";
import { type ProviderOffer, type ToolOffer, toOfferedTools } from "@/lib/core/check/offer";
import type { Layout } from "@/lib/core/flow/edit";
import type { ModelOffer } from "@/lib/core/flow/model-support";
import { unpackReading } from "@/lib/core/source/read/unpack-reading";
import { createAccessPort } from "./access/access-port";
import { createAnnouncer } from "./announcer";
import { createPatternCheck } from "./checks/pattern-check";
import { createPriceCheck } from "./checks/price-check";
import { getEditing } from "./editing/editing";
import { createEditor } from "./editor/editor";
import { toReadOnly } from "./editor/read-only";
import { createNoteIds } from "./edits/note-ids";
import { createFlowActions } from "./flow-actions";
import { createLive } from "./live/live";
import { createOpenComments } from "./open-comments";
import { createOpenDrafts } from "./open-drafts";
import { createAutosave, type SaveWire } from "./save/autosave-driver";
import { readingWire, serverWire } from "./server-wire";
import { createShownRun, type RunFigures } from "./shown-run";
import { createTextPort } from "./text-port";
import { createViewState, type EditorViewState } from "./view";

export interface Seed {
  id: string;
  source: string;
  /**
   * The contents of `source`, as the server read them: the browser reads it once what changes flows is loaded. Null for a large flow,
   * which the browser reads before it shows it.
   */
  packedReading: string | null;
  layout: Layout;
  revision: string;
  /** What the flow was copied from, in words. */
  copiedFrom?: string | null;
  providers: readonly ProviderOffer[];
  tools: readonly ToolOffer[];
  /** A few models of every provider; the others are fetched on demand. */
  models: readonly ModelOffer[];
  /** Highest cost of a run on this server, in US dollars. */
  costCeiling?: number | undefined;
  /** Providers for which the user has keys of their own. */
  ownProviders?: readonly string[];
  /** The run in the URL, else a run of this flow that has not ended yet. */
  shownRun: string | null;
  selected?: string | null;
  /** The first comment of a thread, a version, or a dialog (see `openableDialogs`), that the page is opened for. */
  comment?: string | null;
  version?: string | null;
  open?: string | null;
  /** The latest run of this flow, for evaluating conditions. */
  lastRun: string | null;
  lastInput: string;
  /** Of `shownRun`, else of `lastRun`; missing: the flow has not run yet. */
  figures?: RunFigures | undefined;
  /** Missing: everything is allowed. */
  access?: Access;
}

export type Session = ReturnType<typeof createSession>;

export interface SessionPorts {
  wire?: SaveWire;
  view?: Partial<EditorViewState>;
}

/** Throws for a large flow until `loadEditing` is done. */
export function createSession(seed: Seed, notify: typeof toast, ports: SessionPorts = {}) {
  const { id, source, layout, revision, access = fullAccess } = seed;
  const view = createViewState(seed);
  if (ports.view) view.setState(ports.view);
  const { offer, ...offerChanges } = createSessionOffer(seed, view, () => editor.recheck());
  const reading =
    seed.packedReading === null ? getEditing().readSource(source, offer) : unpackReading(source, seed.packedReading);
  const writer = createEditor(reading, layout, offer, notify.info);
  const editor = access.mayEdit ? writer : toReadOnly(writer);
  const selectedNode = editor.store.getState().arrangement.nodes.find(({ key }) => key === seed.selected);
  if (selectedNode) editor.select([selectedNode.key]);
  const canvas = createCanvasStore(editor);
  const camera = createCameraPort();
  const defaultModel = (): string => chooseModel(view.getState().providers);
  const live = createLive(ports.wire ?? (access.mayEdit ? serverWire : readingWire));
  const actions = createFlowActions(editor, {
    ...{ view, canvas, camera, defaultModel },
    nextNoteId: createNoteIds(),
    notify: notify.error,
  });
  return {
    seed,
    access,
    editor,
    actions,
    fold: actions.fold,
    autosave: createAutosave(id, { source, layout }, revision, live.wire),
    live,
    /** `isFailing`: the browser could not store what is not saved. */
    backup: createStore(() => ({ isFailing: false })),
    accessPort: createAccessPort(),
    comments: createOpenComments((key) => {
      editor.select([key]);
      view.setState({ nodeTab: "comments", inspectorOpen: true, narrowPane: "inspector" });
    }),
    drafts: createOpenDrafts(),
    canvas,
    camera,
    text: createTextPort(),
    view,
    statuses: createNodeStatuses(),
    shownRun: createShownRun(),
    notify,
    announcer: createAnnouncer(),
    checkPattern: offer.checkPattern,
    ...offerChanges,
  };
}

/** What the flow is checked against, and what changes it while the editor is open; `recheck` follows each change. */
function createSessionOffer(
  { providers, tools, ownProviders = [], costCeiling }: Seed,
  view: StoreApi<EditorViewState>,
  recheck: () => void,
) {
  const checkPattern = createPatternCheck(recheck);
  const offer = {
    providers,
    ...toOfferedTools(tools),
    checkPattern,
    isPriced: createPriceCheck(providers, recheck),
    costCeiling,
  };
  /** Takes a connection that was entered meanwhile; the problems of the flow follow. */
  const connect = (provider: string, prices: NonNullable<ProviderOffer["prices"]>): void => {
    const known = view.getState().providers;
    view.setState({
      providers: known.map((candidate) => (candidate.id === provider ? toConnected(candidate, prices) : candidate)),
    });
    offerProviders();
  };
  /** Runs use the user's own keys, or those of the team alone; the problems of the flow follow. */
  const setOwnKeys = (ownKeys: boolean): void => {
    view.setState({ ownKeys });
    offerProviders();
  };
  const offerProviders = (): void => {
    const { providers: ofTeam, ownKeys } = view.getState();
    const own = ownKeys ? ownProviders : [];
    // A person's key goes to the provider itself, whose prices are listed.
    const offered = ofTeam.map((one) => (own.includes(one.id) ? toConnected(one, "listed") : one));
    offer.providers = offered;
    offer.isPriced = createPriceCheck(offered, recheck);
    recheck();
  };
  return { offer, connect, setOwnKeys };
}

/** A provider as it is with a key. */
function toConnected(provider: ProviderOffer, prices: NonNullable<ProviderOffer["prices"]>): ProviderOffer {
  const { missing: _, problem: __, ...offered } = provider;
  return { ...offered, available: true, prices };
}

/** The model of the first agent: one that can be used now, of a real provider where there is one. */
function chooseModel(providers: readonly ProviderOffer[]): string {
  const usable = providers.filter((provider) => provider.available && provider.models.length > 0);
  const provider = usable.find((candidate) => candidate.id !== "demo") ?? usable[0];
  return provider ? `${provider.id}:${provider.models[0]}` : "demo:agent";
}
