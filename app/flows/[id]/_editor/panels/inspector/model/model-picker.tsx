import { Autocomplete } from "@base-ui/react/autocomplete";
import { ChevronDown, KeyRound } from "lucide-react";
import { loadConnectionDialog } from "@/app/_connections/lazy-connection-dialog";
import type { ModelOffer } from "@/lib/core/flow/model-support";
import { formatPrice, formatWindow, toModelText } from "../../../state/models/describe-model";
import {
  type ConnectChoice,
  type ModelChoice,
  type ModelGroup,
  type TypedChoice,
  toChoiceText,
  type UnfoldChoice,
} from "../../../state/models/group-models";
import { describeNoMatch } from "../../../state/models/typed-model";
import { useSession } from "../../../state/session-context";
import { type FieldAttributes, inputClass } from "../fields/fields";
import { useModelChoice } from "./use-model-choice";

interface ModelPickerProps {
  attributes: FieldAttributes;
  label: string;
  model: string;
  onCommit(model: string): void;
}

export function ModelPicker({ attributes, label, model, onCommit }: ModelPickerProps) {
  const { view } = useSession();
  const choice = useModelChoice(model, onCommit);
  const connect = (provider: string): void => {
    choice.toggle(false);
    choice.reset();
    view.setState({ surface: { type: "connect", provider, runsThen: false } });
  };
  return (
    <Autocomplete.Root
      items={choice.groups}
      mode="none"
      open={choice.isOpen}
      onOpenChange={choice.toggle}
      openOnInputClick
      autoHighlight
      value={choice.text}
      itemToStringValue={toChoiceText}
      onValueChange={(text, { reason }) => {
        if (reason === "item-press") choice.commit(text);
        else if (reason !== "escape-key") choice.type(text);
      }}
    >
      <Autocomplete.InputGroup className="relative">
        <Autocomplete.Input
          {...attributes}
          placeholder="provider:model"
          autoComplete="off"
          spellCheck={false}
          className={`${inputClass} pr-7 font-mono text-xs`}
          onBlur={choice.commitTyped}
          onKeyDown={(event) => {
            if (event.key === "Escape") choice.reset();
            // The list itself takes a highlighted model.
            if (event.key === "Enter" && !event.currentTarget.getAttribute("aria-activedescendant")) {
              event.preventDefault();
              choice.enter();
            }
          }}
        />
        <ListTrigger label={label} />
      </Autocomplete.InputGroup>
      <ModelList noMatch={describeNoMatch(choice.query, choice.state)} onConnect={connect} onUnfold={choice.unfold} />
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
  noMatch: string;
  onConnect(provider: string): void;
  onUnfold(): void;
}

function ModelList({ noMatch, ...actions }: ModelListProps) {
  return (
    <Autocomplete.Portal>
      <Autocomplete.Positioner sideOffset={4} align="end" className="z-50">
        <Autocomplete.Popup className="w-[max(var(--anchor-width),24rem)] max-w-[min(var(--available-width),calc(100vw-16px))] overflow-hidden rounded-md border border-line bg-surface-raised shadow-popover">
          <Autocomplete.Empty>
            <div className="px-3 py-2 text-text-muted text-xs">{noMatch}</div>
          </Autocomplete.Empty>
          <Autocomplete.List className="max-h-[min(24rem,var(--available-height))] overflow-y-auto overscroll-contain p-1 empty:p-0">
            {(group: ModelGroup) => <Models key={group.heading} group={group} {...actions} />}
          </Autocomplete.List>
        </Autocomplete.Popup>
      </Autocomplete.Positioner>
    </Autocomplete.Portal>
  );
}

function Models({ group, onConnect, onUnfold }: { group: ModelGroup } & Omit<ModelListProps, "noMatch">) {
  const { heading, about, note, items } = group;
  return (
    <Autocomplete.Group items={items} className="relative pb-1">
      {heading !== "" && (
        <Autocomplete.GroupLabel className="flex items-center gap-2 px-2 pt-1.5 pb-0.5 text-[11px] text-text-muted">
          <span className="font-semibold">{heading}</span>
          {about && <span>{about}</span>}
          {note && <span className="text-warning">{note}</span>}
        </Autocomplete.GroupLabel>
      )}
      <Autocomplete.Collection>
        {(choice: ModelChoice) => {
          if ("connects" in choice) return <ConnectItem key="connect" choice={choice} onConnect={onConnect} />;
          if ("unfolds" in choice) return <UnfoldItem key="unfold" choice={choice} onUnfold={onUnfold} />;
          if ("uses" in choice) return <TypedItem key={choice.uses} choice={choice} />;
          return <ModelItem key={toModelText(choice)} offer={choice} />;
        }}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  );
}

const itemClass =
  "flex min-h-7 cursor-default items-center justify-between gap-3 rounded px-2 py-1 text-xs outline-none data-highlighted:bg-surface-selected";

const TypedItem = ({ choice }: { choice: TypedChoice }) => (
  <Autocomplete.Item value={choice} className={itemClass}>
    <span className="min-w-0 truncate">
      Use <span className="font-mono">{choice.uses}</span>
    </span>
  </Autocomplete.Item>
);

interface UnfoldItemProps extends Pick<ModelListProps, "onUnfold"> {
  choice: UnfoldChoice;
}

const UnfoldItem = ({ choice, onUnfold }: UnfoldItemProps) => (
  <Autocomplete.Item
    value={choice}
    // Only a model is written into the field, and the list stays open.
    onMouseUp={(event) => event.preventBaseUIHandler()}
    onClick={(event) => {
      event.preventBaseUIHandler();
      onUnfold();
    }}
    className={`${itemClass} text-text-muted`}
  >
    <span className="min-w-0 truncate">{toChoiceText(choice)}</span>
    <ChevronDown size={13} aria-hidden className="shrink-0" />
  </Autocomplete.Item>
);

const ModelItem = ({ offer }: { offer: ModelOffer }) => (
  <Autocomplete.Item value={offer} className={itemClass}>
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
