// The tables as they are after migration 0003.
'use strict';
const { integer, numeric, pgEnum, pgTable, serial, text } = require('drizzle-orm/pg-core');

const cover = pgEnum('cover', ['hard', 'soft']);

const author = pgTable('author', {
  id: serial('id').primaryKey(),
  name: text('name').notNull(),
});

const book = pgTable('book', {
  id: serial('id').primaryKey(),
  authorId: integer('author_id')
    .notNull()
    .references(() => author.id),
  title: text('title').notNull(),
  shortName: text('short_name').notNull().unique('book_short_name'),
  price: numeric('price', { precision: 8, scale: 2 }).notNull().default('0'),
  cover: cover('cover'),
});

module.exports = { author, book, cover };
