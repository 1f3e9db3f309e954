class Create < ActiveRecord::Migration[6.1]
  def change
    create_table :authors do |t|
      t.string :name, null: false
    end
    create_table :books do |t|
      t.references :author, null: false, index: true
      t.string :title, null: false
      t.timestamps
    end
    reversible do |direction|
      direction.up do
        execute "INSERT INTO authors (name) VALUES ('Woolf'), ('Дюма')"
        execute <<~SQL
          INSERT INTO books (author_id, title, created_at, updated_at)
          VALUES (1, 'Orlando', now(), now()), (1, 'The Waves', now(), now()), (2, 'Монте-Кристо', now(), now())
        SQL
      end
    end
  end
end
