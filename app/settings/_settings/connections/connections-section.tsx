"use client";
import { useState } from "react";
import type { ConnectionDetail } from "@/lib/server/connections/queries";
import { LazyConnectionDialog } from "../../../_connections/lazy-connection-dialog";
import { saveConnection } from "../../../_connections/requests";
import { showError } from "../../../_ui/toast/show-error";
import { ConnectionRow } from "./connection-row";
import { LocalServers } from "./local-servers";
import { RemoveDialog } from "./remove-dialog";

type SettingsDialog = { type: "enter"; provider: string; baseUrl?: string } | { type: "remove"; provider: string };

/** The providers, each with its connection. */
export function ConnectionsSection({ initial }: { initial: readonly ConnectionDetail[] }) {
  const [connections, setConnections] = useState(initial);
  const [dialog, setDialog] = useState<SettingsDialog | null>(null);
  const [news, setNews] = useState("");
  const replace = (changed: ConnectionDetail, message: string): void => {
    setConnections(connections.map((known) => (known.provider === changed.provider ? changed : known)));
    setNews(message);
    setDialog(null);
  };
  const connected = (saved: ConnectionDetail): void => replace(saved, `${saved.label} is connected.`);
  const compatible = connections.find(({ provider }) => provider === "compatible");
  const named = connections.find(({ provider }) => provider === dialog?.provider);
  return (
    <>
      <ul className="-mx-4 flex flex-col border-line border-y">
        {connections.map((connection) => (
          <ConnectionRow
            key={`${connection.provider} ${connection.enteredAt}`}
            connection={connection}
            onEnter={() => setDialog({ type: "enter", provider: connection.provider })}
            onRemove={() => setDialog({ type: "remove", provider: connection.provider })}
          />
        ))}
      </ul>
      <LocalServers
        current={compatible?.baseUrl ?? null}
        onChoose={(baseUrl) => {
          // Another server is replaced only after a look at it.
          if (compatible?.source === "entered") setDialog({ type: "enter", provider: "compatible", baseUrl });
          else saveConnection("compatible", { baseUrl, key: "" }).then(connected, showError);
        }}
      />
      <p role="status" className="sr-only">
        {news}
      </p>
      {dialog?.type === "enter" && (
        <LazyConnectionDialog
          provider={dialog.provider}
          baseUrl={dialog.baseUrl}
          onSaved={connected}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.type === "remove" && named && (
        <RemoveDialog
          connection={named}
          onRemoved={(removed) => replace(removed, `The connection to ${removed.label} was removed.`)}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}
