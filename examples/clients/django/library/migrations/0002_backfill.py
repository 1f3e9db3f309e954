"""A column with a value for each row that is there. Not atomic: each operation stands for itself."""

from django.db import migrations, models
from django.utils.text import slugify


def backfill(apps, schema_editor):
    for book in apps.get_model("library", "Book").objects.all():
        book.slug = slugify(book.title, allow_unicode=True)
        book.save(update_fields=["slug"])


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("library", "0001_create")]
    operations = [
        migrations.AddField("Book", "slug", models.SlugField(max_length=200, db_index=False, null=True)),
        migrations.RunPython(backfill, migrations.RunPython.noop),
        migrations.AlterField("Book", "slug", models.SlugField(max_length=200, unique=True)),
    ]
