class Constrain < ActiveRecord::Migration[6.1]
  def change
    change_table :books, bulk: true do |t|
      t.decimal :price, precision: 8, scale: 2, null: false, default: 0
      t.string :cover
    end
    add_check_constraint :books, "price >= 0", name: "book_price"
    add_foreign_key :books, :authors, on_delete: :cascade
    add_index :books, :slug, unique: true
    add_index :books, :title, name: "book_title", where: "cover IS NOT NULL"
  end
end
