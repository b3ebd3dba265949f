import type { Metadata } from "next";
import { getViewer } from "@/app/_viewer/get-viewer";
import { listConnections } from "@/lib/server/connections/queries";
import { findTraceExport } from "@/lib/server/trace-export/queries";
import { ConnectionsSection } from "./_settings/connections/connections-section";
import { TraceExportForm } from "./_settings/trace-export-form";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const viewer = await getViewer();
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-6 px-4 py-6">
      <h1 className="font-semibold text-lg">Settings</h1>
      <section
        id="connections"
        aria-labelledby="connections-title"
        className="flex flex-col gap-4 rounded-lg border p-4"
      >
        <div>
          <h2 id="connections-title" className="font-semibold text-base">
            Connections
          </h2>
          <p className="mt-1 text-text-muted">
            The model providers that agents can use. Changes hold for runs that start from now on, without a restart.
          </p>
        </div>
        {viewer.role === "administrator" ? (
          <ConnectionsSection initial={await listConnections(viewer)} />
        ) : (
          <p className="text-text-muted">Only administrators may see and change connections. Ask one of yours.</p>
        )}
      </section>
      <section aria-labelledby="trace-export" className="flex flex-col gap-4 rounded-lg border p-4">
        <div>
          <h2 id="trace-export" className="font-semibold text-base">
            Trace export
          </h2>
          <p className="mt-1 text-text-muted">
            Sends every finished run to an OpenTelemetry collector as OTLP/JSON, for Langfuse, Phoenix, Jaeger and
            others.
          </p>
        </div>
        {viewer.role === "administrator" ? (
          <TraceExportForm initial={await findTraceExport(viewer)} />
        ) : (
          <p className="text-text-muted">Only administrators may see and change this setting. Ask one of yours.</p>
        )}
      </section>
    </div>
  );
}
