"""What an application does: `manage.py use` writes rows, and asks whether the migrations say what the models say."""

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import transaction
from library.models import Author, Book


class Command(BaseCommand):
    def handle(self, *args, **options):
        call_command("makemigrations", check=True, dry_run=True)
        with transaction.atomic():
            author = Author.objects.create(name="O'Brien")
            with transaction.atomic():  # a savepoint
                Book.objects.create(author=author, title="At Swim-Two-Birds", short_name="swim", price="9.50")
        Book.objects.filter(author__name="Woolf").update(price="12.25")
