-- DropIndex
DROP INDEX "Run_list_idx";

-- AlterTable
ALTER TABLE "Run" ADD COLUMN "isCostPartial" BOOLEAN NOT NULL DEFAULT false;

-- Until now it was in the usage alone.
UPDATE "Run" SET "isCostPartial" = true WHERE "usage" LIKE '%"isCostPartial":true%';

-- CreateIndex
CREATE INDEX "Run_list_idx" ON "Run"("teamId", "createdAt", "id", "status", "flowId", "startedById", "startedBy", "errorCode", "simulated", "tokens", "cost", "isCostPartial", "durationMs");

-- The others after it, in the order of the schema.
DROP INDEX "Run_teamId_traceDone_endedAt_idx";
CREATE INDEX "Run_teamId_traceDone_endedAt_idx" ON "Run"("teamId", "traceDone", "endedAt");
DROP INDEX "Run_forkedFrom_idx";
CREATE INDEX "Run_forkedFrom_idx" ON "Run"("forkedFrom");
DROP INDEX "Run_status_teamId_priority_createdAt_idx";
CREATE INDEX "Run_status_teamId_priority_createdAt_idx" ON "Run"("status", "teamId", "priority", "createdAt");
DROP INDEX "Run_isWorking_teamId_idx";
CREATE INDEX "Run_isWorking_teamId_idx" ON "Run"("isWorking", "teamId");
