/** A value of a column, as the rows of a run have them. */
export type ColumnValue = string | number | boolean | Date | null;

/** Columns of one row with their values. */
export type Columns = Readonly<Record<string, ColumnValue>>;

/** What one write adds to a run. All rows of one list have the same columns, without `runId`. */
export interface RunWrite {
  runId: string;
  /** The write is refused unless the run has this owner and epoch, and has not ended. */
  owner: string;
  epoch: number;
  /** Columns of the run's own row that change; none: the row is only checked. */
  run: Columns;
  /** Appended. */
  events: readonly Columns[];
  /** Take the place of the texts with their `nodeId` and `field`. */
  payloads: readonly Columns[];
  /** Take the place of the nodes with their `nodeId`. */
  nodes: readonly Columns[];
}

/** Stores what runs produce: the path that every step takes, one implementation for each database. */
export interface RunStore {
  /**
   * Stores all of it or nothing, in one transaction. Resolves to false when the run is not the writer's any more: another
   * process took it over, or it has ended. Throws DatabaseError while the database takes no writes.
   */
  write(write: RunWrite): Promise<boolean>;
  close(): Promise<void>;
}
