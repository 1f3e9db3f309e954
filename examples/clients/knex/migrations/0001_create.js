'use strict';

exports.up = async (knex) => {
  await knex.schema
    .createTable('author', (table) => {
      table.increments('id');
      table.text('name').notNullable();
    })
    .createTable('book', (table) => {
      table.increments('id');
      table.integer('author_id').notNullable().references('author.id').onDelete('CASCADE');
      table.text('title').notNullable();
    });
  const [{ id }] = await knex('author').insert({ name: 'Woolf' }).returning('id');
  await knex('book').insert(['Orlando', 'The Waves', 'Ночь и день'].map((title) => ({ author_id: id, title })));
};

exports.down = (knex) => knex.schema.dropTable('book').dropTable('author');
