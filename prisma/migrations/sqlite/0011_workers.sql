-- DropIndex
DROP INDEX "Run_status_leaseUntil_idx";

-- AlterTable
ALTER TABLE "Run" ADD COLUMN "priority" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "Worker" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "concurrency" INTEGER NOT NULL,
    "startedAt" DATETIME NOT NULL,
    "seenAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "Run_status_priority_createdAt_idx" ON "Run"("status", "priority", "createdAt");
