"""Fails at its end and leaves nothing."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("library", "0004_rename")]
    operations = [
        migrations.RunSQL("CREATE TABLE library_publisher (id bigint PRIMARY KEY)"),
        migrations.RunSQL("UPDATE library_book SET price = 12"),
        migrations.RunSQL("ALTER TABLE library_book ADD CONSTRAINT book_cheap CHECK (price < 10)"),
    ]
