"""Two tables."""

from django.db import migrations, models


def fill(apps, schema_editor):
    author = apps.get_model("library", "Author").objects.create(name="Woolf")
    book = apps.get_model("library", "Book")
    book.objects.bulk_create(book(author=author, title=title) for title in ("Orlando", "The Waves", "Ночь и день"))


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        migrations.CreateModel(
            name="Author",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100)),
            ],
        ),
        migrations.CreateModel(
            name="Book",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.CharField(max_length=200)),
                ("author", models.ForeignKey(on_delete=models.deletion.CASCADE, to="library.author")),
            ],
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
