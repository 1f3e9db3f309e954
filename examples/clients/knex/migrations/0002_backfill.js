'use strict';

exports.up = async (knex) => {
  await knex.schema.alterTable('book', (table) => table.text('slug'));
  for (const { id, title } of await knex('book').select('id', 'title').orderBy('id')) {
    await knex('book')
      .where({ id })
      .update({ slug: title.toLowerCase().replaceAll(' ', '-') });
  }
  await knex.schema.alterTable('book', (table) => table.dropNullable('slug'));
};

exports.down = (knex) => knex.schema.alterTable('book', (table) => table.dropColumn('slug'));
