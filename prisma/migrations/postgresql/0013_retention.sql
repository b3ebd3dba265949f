-- CreateTable
CREATE TABLE "Retention" (
    "teamId" TEXT COLLATE "C" NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "days" INTEGER NOT NULL,
    "keep" INTEGER NOT NULL,
    "nextAt" TIMESTAMP(3) NOT NULL,
    "lastAt" TIMESTAMP(3),
    "lastDeleted" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Retention_pkey" PRIMARY KEY ("teamId")
);
