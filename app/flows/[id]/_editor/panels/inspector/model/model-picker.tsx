import { Autocomplete } from "@base-ui/react/autocomplete";
import { ChevronDown, KeyRound } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { loadConnectionDialog } from "@/app/_connections/lazy-connection-dialog";
import type { ModelOffer } from "@/lib/core/flow/model-support";
import { formatPrice, formatWindow, toModelText } from "../../../state/models/describe-model";
import {
  type ConnectChoice,
  groupModels,
  type ModelChoice,
  type ModelGroup,
  modelsUsedIn,
  toChoiceText,
} from "../../../state/models/group-models";
import { useModels } from "../../../state/models/use-models";
import { useEditorState, useSession, useView } from "../../../state/session-context";
import { type FieldAttributes, inputClass } from "../fields/fields";

interface ModelPickerProps {
  attributes: FieldAttributes;
  label: string;
  model: string;
  onCommit(model: string): void;
}

export function ModelPicker({ attributes, label, model, onCommit }: ModelPickerProps) {
  const { drafts, view } = useSession();
  const providers = useView((view) => view.providers);
  const flow = useEditorState((state) => state.flow);
  const [draft, setDraft] = useState({ of: model, text: model });
  const [isOpen, setOpen] = useState(false);
  if (draft.of !== model) setDraft({ of: model, text: model });
  const query = draft.text === model ? "" : draft.text;
  const { models, state } = useModels(query.trim(), isOpen);
  const groups = groupModels(models, modelsUsedIn(flow), { query, providers });
  const commit = (text: string): void => {
    setOpen(false);
    setDraft({ of: model, text: text.trim() });
    if (text.trim() !== model) onCommit(text.trim());
  };
  const connect = (provider: string): void => {
    setOpen(false);
    setDraft({ of: model, text: model });
    view.setState({ surface: { type: "connect", provider, runsThen: false } });
  };
  const save = useEffectEvent(() => commit(draft.text));
  const isChanged = draft.text !== model;
  useEffect(() => (isChanged ? drafts.open(() => save()) : undefined), [isChanged, drafts]);
  return (
    <Autocomplete.Root
      items={groups}
      mode="none"
      open={isOpen}
      onOpenChange={setOpen}
      openOnInputClick
      value={draft.text}
      itemToStringValue={toChoiceText}
      onValueChange={(text, { reason }) => {
        if (reason === "item-press") commit(text);
        else if (reason !== "escape-key") setDraft({ of: model, text });
      }}
    >
      <Autocomplete.InputGroup className="relative">
        <Autocomplete.Input
          {...attributes}
          placeholder="provider:model"
          autoComplete="off"
          spellCheck={false}
          className={`${inputClass} pr-7 font-mono text-xs`}
          onBlur={() => commit(draft.text)}
          onKeyDown={(event) => {
            if (event.key === "Escape") setDraft({ of: model, text: model });
            // The list itself takes a highlighted model.
            if (event.key === "Enter" && !event.currentTarget.getAttribute("aria-activedescendant")) {
              event.preventDefault();
              commit(draft.text);
            }
          }}
        />
        <ListTrigger label={label} />
      </Autocomplete.InputGroup>
      <ModelList isFailed={state === "failed"} onConnect={connect} />
    </Autocomplete.Root>
  );
}

const ListTrigger = ({ label }: { label: string }) => (
  <Autocomplete.Trigger
    aria-label={`Show models for ${label.toLowerCase()}`}
    className="absolute inset-y-0 right-0 flex w-7 items-center justify-center text-text-muted"
  >
    <ChevronDown size={14} aria-hidden />
  </Autocomplete.Trigger>
);

interface ModelListProps {
  isFailed: boolean;
  onConnect(provider: string): void;
}

function ModelList({ isFailed, onConnect }: ModelListProps) {
  return (
    <Autocomplete.Portal>
      <Autocomplete.Positioner sideOffset={4} align="end" className="z-50">
        <Autocomplete.Popup className="w-[max(var(--anchor-width),24rem)] max-w-[min(var(--available-width),calc(100vw-16px))] overflow-hidden rounded-md border border-line bg-surface-raised shadow-popover">
          <Autocomplete.Empty>
            <div className="px-3 py-2 text-text-muted text-xs">
              {isFailed
                ? "The list of models could not be loaded. You can still type a name."
                : "No model matches. Press Enter to use the name as typed."}
            </div>
          </Autocomplete.Empty>
          <Autocomplete.List className="max-h-[min(24rem,var(--available-height))] overflow-y-auto overscroll-contain p-1 empty:p-0">
            {(group: ModelGroup) => <Models key={group.heading} group={group} onConnect={onConnect} />}
          </Autocomplete.List>
        </Autocomplete.Popup>
      </Autocomplete.Positioner>
    </Autocomplete.Portal>
  );
}

function Models({ group, onConnect }: { group: ModelGroup } & Pick<ModelListProps, "onConnect">) {
  const { heading, note, items } = group;
  return (
    <Autocomplete.Group items={items} className="relative pb-1">
      <Autocomplete.GroupLabel className="flex items-center gap-2 px-2 pt-1.5 pb-0.5 text-[11px] text-text-muted">
        <span className="font-semibold">{heading}</span>
        {note && <span className="text-warning">{note}</span>}
      </Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(choice: ModelChoice) =>
          "connects" in choice ? (
            <ConnectItem key="connect" choice={choice} onConnect={onConnect} />
          ) : (
            <ModelItem key={toModelText(choice)} offer={choice} />
          )
        }
      </Autocomplete.Collection>
    </Autocomplete.Group>
  );
}

const ModelItem = ({ offer }: { offer: ModelOffer }) => (
  <Autocomplete.Item
    value={offer}
    className="flex min-h-7 cursor-default items-center justify-between gap-3 rounded px-2 py-1 text-xs outline-none data-highlighted:bg-surface-selected"
  >
    <span className="min-w-0 truncate font-mono">{toModelText(offer)}</span>
    <span className="flex shrink-0 gap-2 text-[11px] text-text-muted tabular-nums">
      {offer.provider === "demo" && <span>simulated</span>}
      {offer.ending && <span className="text-warning">until {offer.ending.on}</span>}
      {offer.price && <span>{formatPrice(offer.price)}</span>}
      {offer.context !== undefined && <span>{formatWindow(offer.context)}</span>}
    </span>
  </Autocomplete.Item>
);

interface ConnectItemProps extends Pick<ModelListProps, "onConnect"> {
  choice: ConnectChoice;
}

/** In the line of the group's heading. It is an option of the list: the keyboard stays in the field. */
const ConnectItem = ({ choice, onConnect }: ConnectItemProps) => (
  <Autocomplete.Item
    value={choice}
    aria-label={toChoiceText(choice)}
    onPointerEnter={() => void loadConnectionDialog()}
    // Only a model is written into the field.
    onMouseUp={(event) => event.preventBaseUIHandler()}
    onClick={(event) => {
      event.preventBaseUIHandler();
      onConnect(choice.connects);
    }}
    className="absolute top-0.5 right-1 inline-flex h-6 cursor-pointer items-center gap-1 rounded px-1.5 font-medium text-[11px] text-accent-text outline-none data-highlighted:bg-surface-selected"
  >
    <KeyRound size={12} aria-hidden /> Connect…
  </Autocomplete.Item>
);
