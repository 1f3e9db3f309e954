// The migrations, oldest first. A class's name ends with its time.
'use strict';
const { Table, TableColumn, TableForeignKey, TableUnique } = require('typeorm');

const id = { name: 'id', type: 'integer', isPrimary: true, isGenerated: true, generationStrategy: 'increment' };

class Create1767225600001 {
  async up(queryRunner) {
    await queryRunner.createTable(new Table({ name: 'author', columns: [id, { name: 'name', type: 'text' }] }));
    await queryRunner.createTable(
      new Table({
        name: 'book',
        columns: [id, { name: 'author_id', type: 'integer' }, { name: 'title', type: 'varchar', length: '200' }],
      }),
    );
    await queryRunner.query(`INSERT INTO author (name) VALUES ('Woolf'), ('Дюма')`);
    await queryRunner.query('INSERT INTO book (author_id, title) VALUES (1, $1), (1, $2), (2, $3)', [
      'Orlando',
      'The Waves',
      'Монте-Кристо',
    ]);
  }

  async down(queryRunner) {
    await queryRunner.dropTable('book');
    await queryRunner.dropTable('author');
  }
}

class Backfill1767225600002 {
  async up(queryRunner) {
    await queryRunner.addColumn('book', new TableColumn({ name: 'slug', type: 'text', isNullable: true }));
    for (const { id: key, title } of await queryRunner.query('SELECT id, title FROM book ORDER BY id')) {
      const slug = title.toLowerCase().replaceAll(' ', '-');
      await queryRunner.query('UPDATE book SET slug = $1 WHERE id = $2', [slug, key]);
    }
    await queryRunner.query('ALTER TABLE book ALTER COLUMN slug SET NOT NULL');
  }

  async down(queryRunner) {
    await queryRunner.dropColumn('book', 'slug');
  }
}

class Constrain1767225600003 {
  async up(queryRunner) {
    const price = { name: 'price', type: 'numeric', precision: 8, scale: 2, default: 0 };
    await queryRunner.addColumn('book', new TableColumn(price));
    await queryRunner.createForeignKey(
      'book',
      new TableForeignKey({
        name: 'book_author',
        columnNames: ['author_id'],
        referencedTableName: 'author',
        referencedColumnNames: ['id'],
      }),
    );
    await queryRunner.createUniqueConstraint('book', new TableUnique({ name: 'book_slug', columnNames: ['slug'] }));
  }

  async down(queryRunner) {
    await queryRunner.dropUniqueConstraint('book', 'book_slug');
    await queryRunner.dropForeignKey('book', 'book_author');
    await queryRunner.dropColumn('book', 'price');
  }
}

class Rename1767225600004 {
  async up(queryRunner) {
    await queryRunner.renameColumn('book', 'slug', 'short_name');
    await queryRunner.query('ALTER TABLE book RENAME CONSTRAINT book_slug TO book_short_name');
  }

  async down(queryRunner) {
    await queryRunner.query('ALTER TABLE book RENAME CONSTRAINT book_short_name TO book_slug');
    await queryRunner.renameColumn('book', 'short_name', 'slug');
  }
}

// Fails at its end and leaves nothing.
class Broken1767225600005 {
  async up(queryRunner) {
    await queryRunner.createTable(new Table({ name: 'publisher', columns: [id] }));
    await queryRunner.query('UPDATE book SET price = 12');
    await queryRunner.query('ALTER TABLE book ADD CONSTRAINT book_cheap CHECK (price < 10)');
  }

  async down(queryRunner) {
    await queryRunner.dropTable('publisher');
  }
}

module.exports = [
  Create1767225600001,
  Backfill1767225600002,
  Constrain1767225600003,
  Rename1767225600004,
  Broken1767225600005,
];
