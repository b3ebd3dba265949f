export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      aria-hidden="true"
      strokeWidth="2"
      strokeLinecap="round"
    >
      <path d="M2 10h3.5M8 10h4M14.5 10H18" stroke="var(--accent)" />
      <path d="M5 2v6M5 12v6" stroke="currentColor" opacity=".55" transform="translate(1.7 0)" />
      <path d="M10 2v16" stroke="currentColor" />
      <path d="M15 2v6M15 12v6" stroke="currentColor" opacity=".55" transform="translate(-1.7 0)" />
    </svg>
  );
}
