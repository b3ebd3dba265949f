-- AlterTable
ALTER TABLE "Flow" ADD COLUMN     "copiedFrom" TEXT COLLATE "C",
ADD COLUMN     "listedAt" TIMESTAMP(3);

-- CreateIndex
CREATE INDEX "Flow_listedAt_idx" ON "Flow"("listedAt");
