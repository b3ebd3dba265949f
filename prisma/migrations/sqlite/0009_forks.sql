-- Written by hand: columns are added to the table as it is. The generated SQL makes the table anew, and dropping the old
-- one would take the steps and events of every run along.
-- AlterTable
ALTER TABLE "Run" ADD COLUMN "forkedFrom" TEXT;
ALTER TABLE "Run" ADD COLUMN "forkedAt" TEXT;
ALTER TABLE "Run" ADD COLUMN "edits" TEXT;

-- CreateIndex
CREATE INDEX "Run_forkedFrom_idx" ON "Run"("forkedFrom");
