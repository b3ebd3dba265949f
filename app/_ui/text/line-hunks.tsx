const lineStyles: Readonly<Record<string, string>> = {
  "-": "bg-danger-soft text-danger",
  "+": "bg-success-soft text-success",
};

export function LineHunks({ hunks }: { hunks: readonly { oldStart: number; lines: readonly string[] }[] }) {
  return (
    <pre
      // What scrolls must be reachable without a mouse.
      tabIndex={0}
      className="max-h-72 overflow-y-auto whitespace-pre-wrap rounded-md [overflow-wrap:anywhere] border border-line bg-surface-sunken py-1 font-mono text-xs leading-5"
    >
      {hunks.map(({ oldStart, lines }) => (
        <div key={oldStart}>
          <div className="px-2 text-text-muted">from line {oldStart}</div>
          {Object.entries(lines).map(([lineIndex, line]) => (
            <div key={lineIndex} className={`px-2 ${lineStyles[line[0] ?? ""] ?? ""}`}>
              {line}
            </div>
          ))}
        </div>
      ))}
    </pre>
  );
}
