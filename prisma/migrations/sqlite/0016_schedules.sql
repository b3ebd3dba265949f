-- CreateTable
CREATE TABLE "Schedule" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "flowId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "cron" TEXT NOT NULL,
    "timeZone" TEXT NOT NULL,
    "input" TEXT NOT NULL,
    "missed" TEXT NOT NULL,
    "overlap" BOOLEAN NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "nextAt" DATETIME,
    "lastAt" DATETIME,
    "lastRunId" TEXT,
    "lastProblem" TEXT,
    "createdById" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "Schedule_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Schedule_teamId_createdAt_idx" ON "Schedule"("teamId", "createdAt");

-- CreateIndex
CREATE INDEX "Schedule_flowId_idx" ON "Schedule"("flowId");

-- CreateIndex
CREATE INDEX "Schedule_enabled_nextAt_idx" ON "Schedule"("enabled", "nextAt");
