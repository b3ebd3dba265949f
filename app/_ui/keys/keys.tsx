/** Key strokes: `Ctrl Shift Z`; alternatives are separated by a comma and a space. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="ml-auto flex shrink-0 items-center gap-1.5">
      {keys.split(", ").map((way) => (
        <span key={way} className="flex gap-0.5">
          {way.split(" ").map((key) => (
            <kbd
              key={key}
              className="rounded border border-line bg-surface-sunken px-1 font-sans text-[11px] leading-4 text-text-muted"
            >
              {key}
            </kbd>
          ))}
        </span>
      ))}
    </span>
  );
}

/** The keys of a command beside its name; not on a touch screen, which has no keyboard. */
export const Shortcut = ({ keys }: { keys: string }) => (
  <span className="contents pointer-coarse:hidden">
    <Keys keys={keys} />
  </span>
);
