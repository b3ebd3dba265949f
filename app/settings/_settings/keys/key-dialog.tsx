import { useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { Checkbox } from "@/app/_ui/controls/checkbox";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { DialogProblem, Field, SelectField } from "@/app/_ui/controls/field";
import { inputStyle } from "@/app/_ui/controls/input-style";
import { messageOf } from "@/app/_ui/loading/fetch-json";
import type { Permission } from "@/lib/server/auth/permissions";
import { type CreatedKey, createKey } from "./requests";
import { scopeWords } from "./scope-words";

const lifetimes = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "One year"],
  ["", "No end"],
] as const;
const dayMs = 86_400_000;

/** What most programs need: to start runs and to read what they came to. */
const usualScopes: readonly Permission[] = ["flows:read", "runs:read", "runs:write"];

interface KeyDialogProps {
  grantable: readonly Permission[];
  onCreated(created: CreatedKey): void;
  onClose(): void;
}

export function KeyDialog({ grantable, onCreated, onClose }: KeyDialogProps) {
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  const [scopes, setScopes] = useState(() => usualScopes.filter((scope) => grantable.includes(scope)));
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const create = (): void => {
    setPending(true);
    setProblem(null);
    const expiresAt = days === "" ? undefined : new Date(Date.now() + Number(days) * dayMs).toISOString();
    createKey({ name: name.trim(), scopes, expiresAt }).then(onCreated, (error: unknown) => {
      setProblem(messageOf(error));
      setPending(false);
    });
  };
  const toggle = (scope: Permission, isChosen: boolean): void =>
    setScopes(isChosen ? [...scopes, scope] : scopes.filter((other) => other !== scope));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="New API key"
      description="A program that shows it acts in this team, within the scopes that you choose."
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <NameAndLifetime name={name} days={days} onName={setName} onDays={setDays} />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium">Scopes</legend>
          <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
            {grantable.map((scope) => (
              <Checkbox
                key={scope}
                {...scopeWords[scope]}
                checked={scopes.includes(scope)}
                onChange={(isChosen) => toggle(scope, isChosen)}
              />
            ))}
          </div>
        </fieldset>
        <DialogProblem problem={problem} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={pending} disabled={scopes.length === 0}>
            Make key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface NameAndLifetimeProps {
  name: string;
  days: string;
  onName(name: string): void;
  onDays(days: string): void;
}

const NameAndLifetime = ({ name, days, onName, onDays }: NameAndLifetimeProps) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <Field label="Name">
      {(attributes) => (
        <input
          {...attributes}
          required
          maxLength={100}
          pattern=".*\S.*"
          placeholder="Deployment script"
          value={name}
          onChange={({ target }) => onName(target.value)}
          className={inputStyle}
        />
      )}
    </Field>
    <SelectField label="Expires after" value={days} options={lifetimes} onChange={onDays} />
  </div>
);
