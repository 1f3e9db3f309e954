-- Drizzle has no way down: what is to go, goes by the next migration.
DROP TABLE "book";
--> statement-breakpoint
DROP TABLE "author";
--> statement-breakpoint
DROP TYPE "public"."cover";
