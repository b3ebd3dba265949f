export const inputStyle =
  "block h-8 w-full rounded-md border border-line-input bg-surface px-2 placeholder:text-text-faint pointer-coarse:h-10";
