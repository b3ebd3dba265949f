import type { ComponentProps } from "react";

export function IconButton({
  label,
  className = "",
  children,
  ...buttonProps
}: Omit<ComponentProps<"button">, "aria-label"> & { label: string }) {
  return (
    <button
      data-hint={label}
      type="button"
      {...buttonProps}
      aria-label={label}
      className={`inline-flex size-7 shrink-0 items-center justify-center rounded-md text-text-muted transition-colors duration-150 hover:bg-surface-hover hover:text-text disabled:opacity-40 ${className}`}
    >
      {children}
    </button>
  );
}
