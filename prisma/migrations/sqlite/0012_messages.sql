-- CreateTable
CREATE TABLE "RunMessage" (
    "runId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "agent" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "by" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "takenAt" DATETIME,

    PRIMARY KEY ("runId", "number"),
    CONSTRAINT "RunMessage_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
