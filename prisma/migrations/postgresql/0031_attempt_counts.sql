-- CreateTable
CREATE TABLE "AttemptCount" (
    "key" TEXT COLLATE "C" NOT NULL,
    "count" INTEGER NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AttemptCount_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "AttemptCount_expiresAt_idx" ON "AttemptCount"("expiresAt");
