import type { Findings } from "../imported";
import type { Constructors } from "./constructors";
import type { OrbiterNodes } from "./orbiter-nodes";
import type { TextMaker } from "./texts";

/** What all readers of one Python text share. */
export interface PythonContext {
  text: string;
  findings: Findings;
  nodes: OrbiterNodes;
  constructors: Constructors;
  texts: TextMaker;
}
