-- CreateTable
CREATE TABLE "Retention" (
    "teamId" TEXT NOT NULL PRIMARY KEY,
    "enabled" BOOLEAN NOT NULL,
    "days" INTEGER NOT NULL,
    "keep" INTEGER NOT NULL,
    "nextAt" DATETIME NOT NULL,
    "lastAt" DATETIME,
    "lastDeleted" INTEGER NOT NULL DEFAULT 0
);
