/** The place of something that is still being read; give it the final size by `className`. */
export function Skeleton({ className = "" }: { className?: string }) {
  return <span aria-hidden className={`block animate-pulse rounded bg-surface-hover ${className}`} />;
}
