"""The built-in interface, which most tests are about: counts, orders and keys come from here."""

from explorer.catalog.interfaces import registry_of

registry = registry_of()
