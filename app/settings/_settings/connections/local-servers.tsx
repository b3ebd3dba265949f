import { Check, Radar, Server } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { LocalServer } from "@/lib/server/connections/find-local";
import { findLocalServers } from "../../../_connections/requests";
import { Button } from "../../../_ui/controls/button";
import { messageOf } from "../../../_ui/loading/fetch-json";

type Search =
  | { type: "none" }
  | { type: "pending" }
  | { type: "found"; servers: readonly LocalServer[] }
  | { type: "failed"; message: string };

interface LocalServersProps {
  /** The address that is connected now. */
  current: string | null;
  onChoose(baseUrl: string): void;
}

/** Looks for model servers of this machine, on click only. */
export function LocalServers({ current, onChoose }: LocalServersProps) {
  const [search, setSearch] = useState<Search>({ type: "none" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = (): void => {
    const controller = new AbortController();
    running.current = controller;
    setSearch({ type: "pending" });
    const settle = (next: Search): void => {
      if (!controller.signal.aborted) setSearch(next);
    };
    findLocalServers(controller.signal).then(
      (servers) => settle({ type: "found", servers }),
      (error: unknown) => settle({ type: "failed", message: messageOf(error) }),
    );
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button onClick={start} pending={search.type === "pending"}>
          {search.type !== "pending" && <Radar size={14} aria-hidden />} Find local servers
        </Button>
        <p className="min-w-0 flex-1 basis-60 text-text-muted">
          Asks the ports 11434, 1234, 8080 and 8000 of this machine for models: Ollama, LM Studio, llama.cpp, vLLM.
        </p>
      </div>
      <div role="status">
        {search.type === "failed" && <p className="text-danger">{search.message}</p>}
        {search.type === "found" && search.servers.length === 0 && (
          <p className="text-text-muted">No model server answered. Start one, then look again.</p>
        )}
        {search.type === "found" && search.servers.length > 0 && (
          <ul className="flex flex-col rounded-md border">
            {search.servers.map((server) => (
              <FoundServer
                key={server.port}
                server={server}
                isCurrent={server.baseUrl === current}
                onChoose={onChoose}
              />
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

interface FoundServerProps {
  server: LocalServer;
  isCurrent: boolean;
  onChoose(baseUrl: string): void;
}

function FoundServer({ server: { name, baseUrl, models }, isCurrent, onChoose }: FoundServerProps) {
  const shown = models.slice(0, 4).join(", ");
  const more = models.length > 4 ? ` and ${models.length - 4} more` : "";
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line px-3 py-2 not-last:border-b">
      <Server size={14} aria-hidden className="text-text-muted" />
      <div className="min-w-0 flex-1 basis-48">
        <p>
          <span className="font-medium">{name}</span>{" "}
          <span className="font-mono text-text-muted text-xs">{baseUrl.replace("http://", "")}</span>
        </p>
        <p className="text-text-muted text-xs [overflow-wrap:anywhere]">
          {models.length === 0 ? "It lists no model: load one in the server." : `${shown}${more}`}
        </p>
      </div>
      {isCurrent ? (
        <span className="flex items-center gap-1 text-success">
          <Check size={14} aria-hidden /> Connected
        </span>
      ) : (
        <Button size="small" aria-label={`Connect ${name}`} onClick={() => onChoose(baseUrl)}>
          Connect
        </Button>
      )}
    </li>
  );
}
