-- CreateTable
CREATE TABLE "CallShare" (
    "resource" TEXT NOT NULL,
    "process" TEXT NOT NULL,
    "granted" INTEGER NOT NULL,
    "used" INTEGER NOT NULL,
    "waiting" INTEGER NOT NULL,
    "shortSince" DATETIME,
    "expiresAt" DATETIME NOT NULL,

    PRIMARY KEY ("resource", "process")
);
