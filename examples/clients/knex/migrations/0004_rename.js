'use strict';

// Each statement stands for itself.
exports.config = { transaction: false };

exports.up = async (knex) => {
  await knex.schema.alterTable('book', (table) => table.renameColumn('slug', 'short_name'));
  await knex.schema.alterTable('book', (table) => table.bigInteger('author_id').notNullable().alter());
};

exports.down = async (knex) => {
  await knex.schema.alterTable('book', (table) => table.integer('author_id').notNullable().alter());
  await knex.schema.alterTable('book', (table) => table.renameColumn('short_name', 'slug'));
};
