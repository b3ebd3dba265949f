-- CreateTable
CREATE TABLE "RunMessage" (
    "runId" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "agent" TEXT COLLATE "C" NOT NULL,
    "text" TEXT COLLATE "C" NOT NULL,
    "by" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "takenAt" TIMESTAMP(3),

    CONSTRAINT "RunMessage_pkey" PRIMARY KEY ("runId","number")
);

-- AddForeignKey
ALTER TABLE "RunMessage" ADD CONSTRAINT "RunMessage_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
