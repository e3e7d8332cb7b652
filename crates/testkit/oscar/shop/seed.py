"""Fills an empty shop: a few products, a customer with an address."""
from decimal import Decimal as D
from django.contrib.auth import get_user_model
from django.contrib.sites.models import Site
from oscar.apps.address.models import Country, UserAddress
from oscar.apps.catalogue.categories import create_from_breadcrumbs
from oscar.apps.catalogue.models import Product, ProductCategory, ProductClass
from oscar.apps.order.models import PaymentEventType
from oscar.apps.partner.models import Partner, StockRecord

PRODUCTS = [("Cast iron teapot 1.1 l", "48.50"), ("Gooseneck kettle 0.8 l", "61.00"), ("Paper lantern 40 cm", "9.90")]


def run():
    Site.objects.update_or_create(id=1, defaults={"domain": "127.0.0.1", "name": "Lantern & Loom"})
    Country.objects.create(iso_3166_1_a2="DE", iso_3166_1_a3="DEU", iso_3166_1_numeric="276", printable_name="Germany",
                           name="Germany", is_shipping_country=True)
    PaymentEventType.objects.create(name="Settled")
    buyer = get_user_model().objects.create_user("mira", "mira@shop.test", "mira-pass-1", first_name="Mira", last_name="Okafor")
    UserAddress.objects.create(user=buyer, title="Dr", first_name="Mira", last_name="Okafor", line1="Lindenstrasse 12", line4="Leipzig",
                               postcode="04107", country_id="DE", is_default_for_shipping=True)
    kind = ProductClass.objects.create(name="Goods", requires_shipping=True, track_stock=True)
    partner = Partner.objects.create(name="Main warehouse", code="main")
    category = create_from_breadcrumbs("Home")
    for n, (title, price) in enumerate(PRODUCTS, 1):
        sku = "LL-%03d" % n
        product = Product.objects.create(title=title, upc=sku, product_class=kind, structure="standalone", is_public=True,
                                         description="<p>%s. Item number %s.</p>" % (title, sku))
        ProductCategory.objects.create(product=product, category=category)
        StockRecord.objects.create(product=product, partner=partner, partner_sku=sku, price_currency="EUR", price=D(price), num_in_stock=50)
