import { toInitials } from "@/lib/core/layout/scene/agent-initials";

interface AgentTileProps {
  name: string;
  /** A CSS colour; null for nodes that share the neutral one. */
  color: string | null;
  size?: keyof typeof sizes;
  /** Drawn as an outline: not started. */
  isHollow?: boolean;
}

const sizes = {
  medium: "size-5 rounded text-[11px]",
  large: "size-7.5 rounded-md text-xs",
} as const;

/** The mark of an agent, the same wherever it occurs. Decorative: its name is always beside it. */
export function AgentTile({ name, color, size = "medium", isHollow = false }: AgentTileProps) {
  const fill = color ?? "var(--idle)";
  return (
    <span
      aria-hidden
      className={`grid shrink-0 place-items-center font-mono font-semibold leading-none ${sizes[size]}`}
      style={
        isHollow
          ? { color: fill, boxShadow: `inset 0 0 0 1.5px ${fill}` }
          : { background: fill, color: "var(--on-agent)" }
      }
    >
      {toInitials(name)}
    </span>
  );
}
