-- AlterTable
ALTER TABLE "Run" ADD COLUMN "forkedFrom" TEXT COLLATE "C";
ALTER TABLE "Run" ADD COLUMN "forkedAt" TEXT COLLATE "C";
ALTER TABLE "Run" ADD COLUMN "edits" TEXT COLLATE "C";

-- CreateIndex
CREATE INDEX "Run_forkedFrom_idx" ON "Run"("forkedFrom");
