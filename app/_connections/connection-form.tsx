import { Eye, EyeOff, PlugZap } from "lucide-react";
import { type RefObject, useEffect, useId, useState } from "react";
import { MessageText } from "@/app/_ui/text/message-text";
import type { ConnectionDetail } from "@/lib/server/connections/queries";
import { Button } from "../_ui/controls/button";
import { DialogActions } from "../_ui/controls/dialog";
import { IconButton } from "../_ui/controls/icon-button";
import { messageOf } from "../_ui/loading/fetch-json";
import { type ConnectionDraft, saveConnection } from "./requests";
import { TestResults } from "./test-results";
import { useConnectionTest } from "./use-connection-test";

interface ConnectionFormProps {
  connection: ConnectionDetail;
  initialUrl?: string | undefined;
  saveLabel?: string | undefined;
  firstField: RefObject<HTMLInputElement | null>;
  onSaved(connection: ConnectionDetail): void;
  onClose(): void;
}

const fieldStyle =
  "block h-8 w-full rounded-md border border-line-input bg-surface px-2 font-mono text-xs placeholder:text-text-faint pointer-coarse:h-10";

type FieldProblem = { field: "key" | "baseUrl" | null; message: string };

export function ConnectionForm(props: ConnectionFormProps) {
  const { connection, saveLabel, firstField, onClose } = props;
  // The dialog was opened before its form was loaded.
  useEffect(() => firstField.current?.focus(), [firstField]);
  const { draft, test, save, pending, problem } = useConnectionForm(props);
  return (
    <form
      autoComplete="off"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Fields {...props} draft={draft} problem={problem} />
      <p className="text-text-muted">{describeEffect(connection)}</p>
      <TestResults
        state={test.state}
        onCancel={test.cancel}
        onModel={(model) => test.start({ ...draft.toJson(), model })}
      />
      {problem?.field === null && (
        <p role="alert" className="text-danger [overflow-wrap:anywhere]">
          <MessageText text={problem.message} />
        </p>
      )}
      <DialogActions>
        <Button
          className="sm:mr-auto"
          disabled={!draft.isComplete || test.state.type === "pending"}
          onClick={() => test.start(draft.toJson())}
        >
          <PlugZap size={14} aria-hidden /> Test
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" pending={pending} disabled={!draft.isComplete}>
          {saveLabel ?? (connection.needsKey ? "Save key" : "Save")}
        </Button>
      </DialogActions>
    </form>
  );
}

function useConnectionForm({ connection, initialUrl, onSaved }: ConnectionFormProps) {
  const { provider } = connection;
  const draft = useConnectionDraft(connection, initialUrl);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<FieldProblem | null>(null);
  const test = useConnectionTest(provider);
  const save = async (): Promise<void> => {
    setPending(true);
    setProblem(null);
    try {
      onSaved(await saveConnection(provider, draft.toJson()));
    } catch (error) {
      setProblem(readProblem(messageOf(error)));
      setPending(false);
    }
  };
  return { draft, test, save, pending, problem };
}

interface FieldsProps extends Pick<ConnectionFormProps, "connection" | "firstField"> {
  draft: ReturnType<typeof useConnectionDraft>;
  problem: FieldProblem | null;
}

/** What the provider needs comes first. */
function Fields({ connection, firstField, draft, problem }: FieldsProps) {
  const isUrlFirst = connection.ownUrl === null;
  const messageFor = (field: FieldProblem["field"]) => (problem?.field === field ? problem.message : null);
  const keyField = (
    <KeyField
      connection={connection}
      value={draft.key}
      onChange={draft.setKey}
      input={isUrlFirst ? undefined : firstField}
      problem={messageFor("key")}
    />
  );
  const urlField = (
    <UrlField
      connection={connection}
      value={draft.baseUrl}
      onChange={draft.setBaseUrl}
      input={isUrlFirst ? firstField : undefined}
      problem={messageFor("baseUrl")}
    />
  );
  return (
    <>
      {isUrlFirst && urlField}
      {keyField}
      {!isUrlFirst && urlField}
    </>
  );
}

/** The API names the field in front of what is wrong with it. */
function readProblem(message: string): FieldProblem {
  const [, field, text = ""] = /^`(key|baseUrl)`: (.*)$/s.exec(message) ?? [];
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  if (field === "key" || field === "baseUrl") return { field, message: sentence };
  return { field: null, message };
}

function useConnectionDraft(connection: ConnectionDetail, initialUrl: string | undefined) {
  const { source, baseUrl: storedUrl, ownUrl, needsKey, hasKey, problem } = connection;
  const isEntered = source === "entered";
  const [key, setKey] = useState("");
  const [baseUrl, setBaseUrl] = useState(initialUrl ?? (isEntered && storedUrl !== ownUrl ? (storedUrl ?? "") : ""));
  const isKept = isEntered && hasKey && problem === null;
  const hasNeeded = (!needsKey || key.trim() !== "" || isKept) && (ownUrl !== null || baseUrl.trim() !== "");
  const toJson = (): ConnectionDraft => ({
    ...(key.trim() !== "" && { key: key.trim() }),
    ...(key.trim() === "" && initialUrl !== undefined && { key: "" }),
    baseUrl: baseUrl.trim(),
  });
  return { key, setKey, baseUrl, setBaseUrl, isComplete: hasNeeded, toJson };
}

/** What saving does, in words. */
function describeEffect({ source, environment, needsKey }: ConnectionDetail): string {
  const what = needsKey ? "The key" : "A key";
  const sealed = `${what} is sealed on this server and never shown again, except its last four characters.`;
  const used = "Runs that start from now on use it";
  if (environment.isSet && source !== "entered")
    return `${sealed} ${used}, in place of the environment's ${needsKey ? environment.key : environment.url}.`;
  return `${sealed} ${used}; runs under way keep what they have.`;
}

interface FieldProps {
  connection: ConnectionDetail;
  value: string;
  onChange(value: string): void;
  input: RefObject<HTMLInputElement | null> | undefined;
  problem: string | null;
}

function KeyField({ connection, value, onChange, input, problem }: FieldProps) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const { source, hasKey, lastFour, needsKey, problem: storedProblem } = connection;
  const isKept = source === "entered" && hasKey && storedProblem === null;
  const ending = lastFour === "" ? "" : ` (…${lastFour})`;
  const hint = isKept ? `Leave it empty to keep the present key${ending}.` : storedProblem;
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        API key {!needsKey && <span className="font-normal text-text-muted">(if the server wants one)</span>}
      </label>
      <div className="flex items-center gap-1">
        <input
          ref={input}
          id={id}
          type={isShown ? "text" : "password"}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          data-1p-ignore
          data-lpignore="true"
          maxLength={8000}
          placeholder={isKept ? "unchanged" : "paste it here"}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-hint`}
          className={fieldStyle}
        />
        <IconButton
          label={isShown ? "Hide the key" : "Show the key"}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          className="pointer-coarse:size-10"
        >
          {isShown ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
        </IconButton>
      </div>
      <FieldHint id={`${id}-hint`} problem={problem} hint={hint} />
    </div>
  );
}

function UrlField({ connection, value, onChange, input, problem }: FieldProps) {
  const id = useId();
  const { ownUrl } = connection;
  const hint =
    ownUrl === null ? "Usually ends in /v1." : "Only for a gateway or proxy. Empty: the provider's own address.";
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        Base URL {ownUrl !== null && <span className="font-normal text-text-muted">(optional)</span>}
      </label>
      <input
        ref={input}
        id={id}
        type="text"
        inputMode="url"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={2000}
        placeholder={ownUrl ?? "http://127.0.0.1:11434/v1"}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-hint`}
        className={fieldStyle}
      />
      <FieldHint id={`${id}-hint`} problem={problem} hint={hint} />
    </div>
  );
}

function FieldHint({ id, problem, hint }: { id: string; problem: string | null; hint: string | null }) {
  if (problem !== null)
    return (
      <p id={id} role="alert" className="mt-1 text-danger text-xs [overflow-wrap:anywhere]">
        {problem}
      </p>
    );
  return (
    <p id={id} className="mt-1 text-text-muted text-xs empty:hidden">
      {hint}
    </p>
  );
}
