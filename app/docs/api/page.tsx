import type { Metadata } from "next";
import type { ReactNode } from "react";
import { PageFrame } from "@/app/_ui/shell/page-frame";
import { getViewer } from "@/app/_viewer/get-viewer";
import { toAnchor } from "@/app/docs/_pages/doc-pages";
import { DocsNav, docLinkStyle } from "@/app/docs/_pages/docs-nav";
import { getOpenApi } from "@/lib/server/api/openapi";
import { apiParts } from "@/lib/server/api/operations";
import { OperationEntry } from "./_reference/operation-entry";
import { SchemaEntry } from "./_reference/schema-entry";

export const metadata: Metadata = { title: "API reference" };

export default async function ApiReferencePage() {
  await getViewer();
  const { paths, components } = getOpenApi();
  return (
    <PageFrame
      width="wide"
      className="grid content-start items-start gap-x-8 gap-y-3 lg:grid-cols-[minmax(0,1fr)_180px]"
    >
      <div className="flex min-w-0 flex-col gap-6">
        <div>
          <h1 className="font-semibold text-xl tracking-tight">API reference</h1>
          <Introduction />
        </div>
        {apiParts.map(({ title, operations }) => (
          <ReferencePart key={title} title={title}>
            {Object.entries(operations).map(([name, { method, path }]) => (
              <OperationEntry
                key={name}
                name={name}
                method={method}
                path={path}
                entry={paths[path]?.[method.toLowerCase()] ?? {}}
              />
            ))}
          </ReferencePart>
        ))}
        <ReferencePart title="Schemas">
          {Object.entries(components.schemas).map(([name, schema]) => (
            <SchemaEntry key={name} name={name} schema={schema} />
          ))}
        </ReferencePart>
      </div>
      <DocsNav current="api">
        <PartNav titles={[...apiParts.map(({ title }) => title), "Schemas"]} />
      </DocsNav>
    </PageFrame>
  );
}

const Introduction = () => (
  <p className="mt-1 max-w-3xl text-pretty text-text-muted">
    Addresses begin with <code className="font-mono text-xs">/api/v1</code>. Bodies are JSON. Programs send an API key
    of the team, made in{" "}
    <a href="/settings/access#keys" className="text-accent-text underline">
      Settings
    </a>
    , as <code className="font-mono text-xs">Authorization: Bearer swl_…</code>. The same as a document for tools:{" "}
    <a href="/api/v1/openapi.json" className="text-accent-text underline">
      OpenAPI 3.1
    </a>
    .
  </p>
);

const PartNav = ({ titles }: { titles: readonly string[] }) => (
  <nav aria-label="Parts of the API" className="hidden flex-col gap-0.5 border-t pt-4 lg:flex">
    {titles.map((title) => (
      <a key={title} href={`#${toAnchor(title)}`} className={docLinkStyle}>
        {title}
      </a>
    ))}
  </nav>
);

const ReferencePart = ({ title, children }: { title: string; children: ReactNode }) => (
  <section id={toAnchor(title)} aria-labelledby={`${toAnchor(title)}-title`} className="scroll-mt-4">
    <h2 id={`${toAnchor(title)}-title`} className="mb-2 font-semibold text-base">
      {title}
    </h2>
    <ul className="divide-y rounded-lg border bg-surface">{children}</ul>
  </section>
);
