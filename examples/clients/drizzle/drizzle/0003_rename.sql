ALTER TABLE "book" RENAME COLUMN "slug" TO "short_name";
--> statement-breakpoint
ALTER TABLE "book" ADD CONSTRAINT "book_short_name" UNIQUE("short_name");
