'use strict';

exports.up = (knex) =>
  knex.schema.alterTable('book', (table) => {
    table.decimal('price', 8, 2).notNullable().defaultTo(0);
    table.enu('cover', ['hard', 'soft'], { useNative: true, enumName: 'cover' });
    table.check('price >= 0', [], 'book_price');
    table.unique(['slug'], { indexName: 'book_slug' });
    table.index(['author_id', 'title'], 'book_author_title');
  });

exports.down = async (knex) => {
  await knex.schema.alterTable('book', (table) => {
    table.dropIndex([], 'book_author_title');
    table.dropUnique([], 'book_slug');
    table.dropChecks('book_price');
    table.dropColumns('price', 'cover');
  });
  await knex.raw('DROP TYPE cover');
};
