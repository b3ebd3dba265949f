-- CreateTable
CREATE TABLE "Schedule" (
    "id" TEXT COLLATE "C" NOT NULL,
    "teamId" TEXT COLLATE "C" NOT NULL,
    "flowId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "cron" TEXT COLLATE "C" NOT NULL,
    "timeZone" TEXT COLLATE "C" NOT NULL,
    "input" TEXT COLLATE "C" NOT NULL,
    "missed" TEXT COLLATE "C" NOT NULL,
    "overlap" BOOLEAN NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "nextAt" TIMESTAMP(3),
    "lastAt" TIMESTAMP(3),
    "lastRunId" TEXT COLLATE "C",
    "lastProblem" TEXT COLLATE "C",
    "createdById" TEXT COLLATE "C" NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Schedule_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Schedule_teamId_createdAt_idx" ON "Schedule"("teamId", "createdAt");

-- CreateIndex
CREATE INDEX "Schedule_flowId_idx" ON "Schedule"("flowId");

-- CreateIndex
CREATE INDEX "Schedule_enabled_nextAt_idx" ON "Schedule"("enabled", "nextAt");

-- AddForeignKey
ALTER TABLE "Schedule" ADD CONSTRAINT "Schedule_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow"("id") ON DELETE CASCADE ON UPDATE CASCADE;
