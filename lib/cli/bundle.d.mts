/** Bundles the command `swarmloom` into `folder` and returns the path of its entry. */
export function bundleCommandLine(folder: string): string;
