-- Written by hand: columns are added to the table as it is. The generated SQL makes the table anew, and dropping the old
-- one would take the steps and events of every run along.
-- AlterTable
ALTER TABLE "Run" ADD COLUMN "traceDone" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Run" ADD COLUMN "traceTries" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Run" ADD COLUMN "traceNextAt" DATETIME;

-- CreateIndex
CREATE INDEX "Run_teamId_traceDone_endedAt_idx" ON "Run"("teamId", "traceDone", "endedAt");

-- CreateTable
CREATE TABLE "TraceExport" (
    "teamId" TEXT NOT NULL PRIMARY KEY,
    "endpoint" TEXT NOT NULL,
    "headers" TEXT NOT NULL,
    "content" BOOLEAN NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "since" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "lastSentAt" DATETIME,
    "lastError" TEXT
);
