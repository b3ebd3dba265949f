-- CreateTable
CREATE TABLE "AttemptCount" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "count" INTEGER NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "AttemptCount_expiresAt_idx" ON "AttemptCount"("expiresAt");
