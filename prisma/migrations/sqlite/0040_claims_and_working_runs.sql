-- AlterTable
ALTER TABLE "Invitation" ADD COLUMN "claimedBy" TEXT;

-- Until now the address was in the column of the user who accepts.
UPDATE "Invitation" SET "claimedBy" = "acceptedBy", "acceptedBy" = NULL WHERE "acceptedAt" IS NULL AND "acceptedBy" IS NOT NULL;

-- AlterTable
ALTER TABLE "Run" ADD COLUMN "isWorking" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "Run_isWorking_teamId_idx" ON "Run"("isWorking", "teamId");
