import { Send } from "lucide-react";
import { type FormEvent, useState } from "react";
import { messageAgent } from "../../_run/start-run";
import { useAccess } from "../../_ui/access/access";
import { Button } from "../../_ui/controls/button";
import { showError } from "../../_ui/toast/show-error";

export function MessageAgentForm({ runId, name, path }: { runId: string; name: string; path: string }) {
  const { mayRun } = useAccess();
  const [text, setText] = useState("");
  const [pending, setPending] = useState(false);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (text.trim() === "") return;
    setPending(true);
    try {
      await messageAgent(runId, path, text);
      setText("");
    } catch (error) {
      showError(error);
    }
    setPending(false);
  };
  if (!mayRun) return null;
  return (
    <form onSubmit={(event) => void send(event)} className="flex items-center gap-2 border-line border-t p-3">
      <input
        aria-label={`Message to ${name}`}
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={`Message to ${name}, delivered before its next model call`}
        className="min-w-0 flex-1 rounded-md border border-line-input bg-surface px-2 py-1 text-[13px] leading-5 placeholder:text-text-faint"
      />
      <Button type="submit" size="small" pending={pending}>
        <Send size={14} aria-hidden /> Send
      </Button>
    </form>
  );
}
