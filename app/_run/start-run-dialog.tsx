import { Play } from "lucide-react";
import { type RefObject, useId, useRef, useState } from "react";
import { Button } from "../_ui/controls/button";
import { Dialog, DialogActions } from "../_ui/controls/dialog";
import { messageOf } from "../_ui/loading/fetch-json";
import { startRun } from "./start-run";

interface StartRunDialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  /** `revision`: a saved one; missing: the newest. */
  flow: { id: string; name: string; revision?: string };
  initialInput?: string;
  onStarted(runId: string): void;
}

export default function StartRunDialog({
  open,
  onOpenChange,
  flow,
  initialInput = "",
  onStarted,
}: StartRunDialogProps) {
  const [input, setInput] = useState(initialInput);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const start = async (): Promise<void> => {
    setPending(true);
    setError(null);
    try {
      onStarted(await startRun(flow.id, input, flow.revision));
      onOpenChange(false);
    } catch (problem) {
      setError(messageOf(problem));
    } finally {
      setPending(false);
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      firstFocus={field}
      title={`Run “${flow.name}”`}
      description="The first steps receive this text; every later step receives the answers of the steps before it."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <InputField ref={field} value={input} onChange={setInput} />
        {error && (
          <p role="alert" className="mt-2 text-danger">
            {error}
          </p>
        )}
        <DialogActions>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" variant="primary" pending={pending} title="Ctrl+Enter">
            <Play size={14} aria-hidden /> Start run
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface InputFieldProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  value: string;
  onChange(value: string): void;
}

function InputField({ ref, value, onChange }: InputFieldProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="mb-1 block font-medium">
        Input
      </label>
      <textarea
        ref={ref}
        id={id}
        value={value}
        rows={5}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
        placeholder="What should the swarm work on?"
        className="block w-full resize-y rounded-md border border-line-strong bg-surface p-2"
      />
    </>
  );
}
