/** The mark: two threads over and under two others, as on a loom. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden="true" className="shrink-0">
      <g stroke="var(--accent)" strokeWidth="2.6" strokeLinecap="round">
        <path d="M7 2v3.2M7 9.2V18" />
        <path d="M13 2v8.8M13 14.8V18" />
      </g>
      <g stroke="currentColor" strokeWidth="2.6" strokeLinecap="round">
        <path d="M2 7h8.8M14.9 7H18" />
        <path d="M2 13h3.1M9.2 13H18" />
      </g>
    </svg>
  );
}
