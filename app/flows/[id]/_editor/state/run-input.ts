import type { StoreApi } from "zustand/vanilla";
import { keepDraft, readDraft } from "@/app/_ui/draft/kept-drafts";
import type { EditorViewState } from "./view";

const inputKey = (flowId: string): string => `run-input.${flowId}`;

/** Without room in the browser's storage the last input of the server's runs is offered instead. */
export const storeRunInput = (flowId: string, input: string): void => keepDraft(inputKey(flowId), { input });

/** Begins with the stored input, and stores it as it is written, until the returned function is called. */
export function followRunInput(view: StoreApi<EditorViewState>, flowId: string): () => void {
  const stored = readDraft(inputKey(flowId))?.input;
  if (stored !== undefined) view.setState({ runInput: stored });
  return view.subscribe(({ runInput }, before) => {
    if (runInput !== before.runInput) storeRunInput(flowId, runInput);
  });
}
