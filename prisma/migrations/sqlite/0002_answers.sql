-- CreateTable
CREATE TABLE "RunAnswer" (
    "runId" TEXT NOT NULL,
    "question" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "at" DATETIME NOT NULL,

    PRIMARY KEY ("runId", "question"),
    CONSTRAINT "RunAnswer_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
