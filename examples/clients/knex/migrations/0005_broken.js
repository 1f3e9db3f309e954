'use strict';

// Fails at its end and leaves nothing.
exports.up = async (knex) => {
  await knex.schema.createTable('publisher', (table) => table.increments('id'));
  await knex('book').update({ price: 12 });
  await knex.schema.alterTable('book', (table) => table.check('price < 10', [], 'book_cheap'));
};

exports.down = (knex) => knex.schema.dropTable('publisher');
