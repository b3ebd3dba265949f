-- An entry of an index has at most 2.7 KB, and the path of a step may be longer
DROP INDEX "RunNode_runId_path_idx";
