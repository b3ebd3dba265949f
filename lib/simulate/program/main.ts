import "server-only";
import type { DestinationStream } from "pino";
import type { RunContext } from "@/lib/core/run/ports/run-context";
import { localTeamId, localViewer, toTeamViewer } from "@/lib/server/auth/viewer";
import type { ClientSocket } from "@/lib/server/collaboration/connection";
import { Rooms } from "@/lib/server/collaboration/rooms";
import { tasks } from "@/lib/server/cpu-worker/tasks";
import type { Db, RunStore } from "@/lib/server/db";
import { createFlow, saveFlow } from "@/lib/server/flows/commands";
import { startRun } from "@/lib/server/runs/commands";
import { cancelRuns } from "@/lib/server/runs/drive/cancel-runs";
import { Executor } from "@/lib/server/runs/drive/executor";
import { toPatientStore } from "@/lib/server/runs/drive/patient-store";
import { catchUp, hearNote } from "@/lib/server/runs/queue/hear-note";
import type { NoteSender, ProcessNote } from "@/lib/server/runs/store/tell-processes";
import { startScheduler } from "@/lib/server/schedules/scheduler";
import { sleep } from "@/lib/server/sleep";
import { storeLocalTeam } from "@/lib/server/teams/local-team";

/** What a simulated process has from outside. */
export interface ProgramPorts {
  db: Db;
  runStore: RunStore;
  notes: NoteSender;
  log: DestinationStream;
  context: Omit<RunContext, "signal" | "sleep" | "now">;
  /** Runs that are driven here at the same time. */
  concurrency: number;
  drivesRuns: boolean;
  runsSchedules: boolean;
}

/** How long a task in another thread takes, in simulated milliseconds. */
const taskMs = 5;

/** Starts everything that a process of the product does with runs, open flows and schedules, as `lib/server/start.ts` does. */
export function startProgram(ports: ProgramPorts) {
  const { db, context } = ports;
  globalThis.swarmloomLog = ports.log;
  globalThis.swarmloomDb = Promise.resolve(db);
  globalThis.swarmloomRunStore = toPatientStore(ports.runStore);
  globalThis.swarmloomNoteSender = ports.notes;
  // Threads know nothing of simulated time.
  globalThis.swarmloomThreads = {
    async run({ name, input }) {
      await sleep(taskMs);
      return tasks[name](input);
    },
  };
  const executor = new Executor(db, {
    concurrency: ports.concurrency,
    context: { ...context, now: Date.now, sleep },
    takesRuns: ports.drivesRuns,
  });
  globalThis.swarmloomExecutor = executor;
  if (ports.drivesRuns) executor.start();
  const rooms = new Rooms(db);
  globalThis.swarmloomRooms = rooms;
  if (ports.runsSchedules) startScheduler(db);
  // No one changes settings here.
  const receivers = { executor, reloadSettings: () => Promise.resolve() };
  return {
    owner: executor.owner,
    /** Connects an editor of a flow. */
    connect(socket: ClientSocket, { flowId, person }: { flowId: string; person: string }): void {
      const viewer = toTeamViewer({ id: person, name: person }, { teamId: localTeamId, role: "editor" });
      rooms.connect(socket, { flow: { id: flowId, teamId: localTeamId }, viewer, findViewer: async () => viewer });
    },
    saveUnsaved: () => rooms.saveUnsaved(),
    hear: (note: ProcessNote) => hearNote(note, receivers),
    catchUp: () => catchUp(receivers),
    onStoreFault(fault: Error | null): void {
      globalThis.swarmloomStorageFault = fault;
    },
    startRun: (flowId: string, input: string) => startRun(localViewer, flowId, { input }),
    cancelRun: (runId: string) => cancelRuns(db, { id: runId }),
    saveFlow: (flowId: string, source: string, baseRevision: string) =>
      saveFlow(localViewer, flowId, { source, baseRevision }),
    createFlow: (source: string) => createFlow(localViewer, { source }),
    storeLocalTeam: () => storeLocalTeam(db),
  };
}

export type Program = ReturnType<typeof startProgram>;
