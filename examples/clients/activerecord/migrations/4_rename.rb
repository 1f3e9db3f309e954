class Rename < ActiveRecord::Migration[6.1]
  def change
    # Its index follows by name.
    rename_column :books, :slug, :short_name
    rename_table :authors, :writers
    change_column_default :books, :cover, from: nil, to: "soft"
    reversible do |direction|
      direction.up { change_column :books, :title, :text }
      direction.down { change_column :books, :title, :string }
    end
  end
end
