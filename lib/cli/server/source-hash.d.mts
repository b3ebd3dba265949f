/** A name for the content of everything that a build of the project in `folder` is made of. */
export function hashSources(folder: string): string;
