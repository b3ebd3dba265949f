/** A turning ring. Decoration: say what is going on in words beside it. */
export function Spinner({ size = 14 }: { size?: number }) {
  return (
    <span
      aria-hidden
      className="inline-block shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent opacity-80"
      style={{ width: size, height: size }}
    />
  );
}
