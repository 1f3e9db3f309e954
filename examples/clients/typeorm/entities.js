// The entities; migration 0004 leaves to `synchronize` what the migrations do not say.
'use strict';
const { EntitySchema } = require('typeorm');

const Author = new EntitySchema({
  name: 'Author',
  tableName: 'author',
  columns: {
    id: { type: 'integer', primary: true, generated: 'increment' },
    name: { type: 'text' },
    born: { type: 'integer', nullable: true },
  },
  relations: { books: { type: 'one-to-many', target: 'Book', inverseSide: 'author' } },
});

const Book = new EntitySchema({
  name: 'Book',
  tableName: 'book',
  columns: {
    id: { type: 'integer', primary: true, generated: 'increment' },
    title: { type: 'varchar', length: 200 },
    shortName: { type: 'text', name: 'short_name' },
    price: { type: 'numeric', precision: 8, scale: 2, default: 0 },
    cover: { type: 'enum', enum: ['hard', 'soft'], enumName: 'cover', nullable: true },
  },
  relations: {
    author: { type: 'many-to-one', target: 'Author', joinColumn: { name: 'author_id' }, nullable: false },
  },
  indices: [{ name: 'book_title', columns: ['title'] }],
  uniques: [{ name: 'book_short_name', columns: ['shortName'] }],
});

module.exports = { Author, Book };
