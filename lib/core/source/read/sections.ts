import { listNodeKinds } from "../../kinds/registry";

/** The sections that contain declarations, in the order in which they are read and written. */
export const declaringSections = (): string[] => listNodeKinds().map(({ section }) => section);

/** The section of the root swarm. */
export const rootSection = "swarm";

/** The sections of a flow file, in the order in which they are written. */
export const topSections = (): string[] => [
  "name",
  "description",
  "vars",
  "compat",
  "limits",
  ...declaringSections(),
  rootSection,
];
