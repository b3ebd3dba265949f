import { useEffect, useEffectEvent, useState } from "react";
import { groupModels, modelsUsedIn, toChoiceText } from "../../../state/models/group-models";
import { toWrittenModel } from "../../../state/models/typed-model";
import { listReportedModels, useModels } from "../../../state/models/use-models";
import { useEditorState, useSession, useView } from "../../../state/session-context";

/** The text of the field and the list for it. `model`: the stored text, which replaces the typed one when it changes. */
export function useModelChoice(model: string, onCommit: (model: string) => void) {
  const { drafts } = useSession();
  const providers = useView((view) => view.providers);
  const flow = useEditorState((state) => state.flow);
  const [draft, setDraft] = useState({ of: model, text: model });
  const [isOpen, setOpen] = useState(false);
  const [isUnfolded, setUnfolded] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  if (draft.of !== model) setDraft({ of: model, text: model });
  const query = draft.text === model ? "" : draft.text.trim();
  const { models, state } = useModels(query, isOpen || isWaiting);
  const groups = groupModels(models, modelsUsedIn(flow), { query, providers, isUnfolded, isCurrent: state === "ok" });
  const toggle = (opens: boolean): void => {
    setOpen(opens);
    if (!opens) setUnfolded(false);
  };
  const type = (text: string): void => {
    setWaiting(false);
    setDraft({ of: model, text });
  };
  const commit = (text: string): void => {
    toggle(false);
    type(text.trim());
    if (text.trim() !== model) onCommit(text.trim());
  };
  const commitTyped = (): void => {
    const known = [...models, ...listReportedModels(providers)];
    commit(draft.text === model ? model : toWrittenModel(draft.text, known));
  };
  const save = useEffectEvent(commitTyped);
  const isChanged = draft.text !== model;
  useEffect(() => (isChanged ? drafts.open(() => save()) : undefined), [isChanged, drafts]);
  const isAnswered = isWaiting && state !== "loading";
  const takeFirst = useEffectEvent(() => {
    const first = groups[0]?.items[0];
    if (first && !("connects" in first)) commit(toChoiceText(first));
    else commitTyped();
  });
  useEffect(() => {
    if (isAnswered) takeFirst();
  }, [isAnswered]);
  return {
    text: draft.text,
    query,
    groups,
    state,
    isOpen,
    toggle,
    type,
    commit,
    commitTyped,
    /** Takes the first choice, which the list may not have yet. */
    enter: () => (isOpen && query !== "" && state === "loading" ? setWaiting(true) : commitTyped()),
    reset: () => type(model),
    unfold: () => setUnfolded(true),
  };
}
