-- Written by hand: the column is added to the table as it is. The generated SQL makes the table anew, and dropping the old
-- one would take the steps and events of every run along.
-- AlterTable
ALTER TABLE "Run" ADD COLUMN "warnings" INTEGER NOT NULL DEFAULT 0;
