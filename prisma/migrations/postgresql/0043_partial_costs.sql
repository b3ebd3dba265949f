-- DropIndex
DROP INDEX "Run_list_idx";

-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "isCostPartial" BOOLEAN NOT NULL DEFAULT false;

-- Until now it was in the usage alone.
UPDATE "Run" SET "isCostPartial" = true WHERE "usage" LIKE '%"isCostPartial":true%';

-- CreateIndex
CREATE INDEX "Run_list_idx" ON "Run"("teamId", "createdAt", "id", "status", "flowId", "startedById", "startedBy", "errorCode", "simulated", "tokens", "cost", "isCostPartial", "durationMs");
