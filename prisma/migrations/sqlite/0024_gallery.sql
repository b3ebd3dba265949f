-- AlterTable
ALTER TABLE "Flow" ADD COLUMN "listedAt" DATETIME;
ALTER TABLE "Flow" ADD COLUMN "copiedFrom" TEXT;

-- CreateIndex
CREATE INDEX "Flow_listedAt_idx" ON "Flow"("listedAt");
