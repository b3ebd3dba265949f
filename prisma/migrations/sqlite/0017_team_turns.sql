-- DropIndex
DROP INDEX "Run_status_priority_createdAt_idx";

-- CreateIndex
CREATE INDEX "Run_status_teamId_priority_createdAt_idx" ON "Run"("status", "teamId", "priority", "createdAt");
