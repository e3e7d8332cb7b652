//! Bars that keep their place at the lower edge of what is in sight and hold what the page is for: the way to buy.

use std::sync::LazyLock;

use super::{consent, roles::Use, survey::Survey, tree::NodeIndex, words::Lexicon};
use crate::capture::GroupKind;

/// What has more controls is no bar.
const MOST_CONTROLS: usize = 8;

/// The most of what is in sight that a bar takes.
const HIGHEST: f32 = 0.4;

/// How a way to buy begins. Bars for chats, cookies and apps have other words.
static PURCHASES: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "buy|buy now|buy it now|purchase|pay|pay now|checkout|check out|go to checkout|proceed to checkout|continue to checkout",
            "continue to payment|proceed to payment|place order|place your order|order|order now|submit order|confirm order",
            "confirm and pay|book|book now|reserve|reserve now|rent now|add to cart|add to basket|add to bag|add to order",
            "view cart|view basket|view bag|view order|go to cart|go to basket|get tickets|select seats|donate|donate now",
            "kaufen|jetzt kaufen|bezahlen|jetzt bezahlen|zur kasse|weiter zur kasse|bestellen|jetzt bestellen|buchen|jetzt buchen",
            "zahlungspflichtig bestellen|reservieren|in den warenkorb|zum warenkorb|warenkorb ansehen|spenden",
            "acheter|acheter maintenant|payer|commander|passer commande|passer la commande|reserver|ajouter au panier",
            "voir le panier|valider la commande|valider mon panier|comprar|comprar ahora|comprar agora|pagar|tramitar pedido",
            "finalizar compra|realizar pedido|reservar|anadir al carrito|agregar al carrito|adicionar ao carrinho|ver carrito",
            "acquista|acquista ora|compra ora|paga|ordina|vai alla cassa|procedi all ordine|prenota|aggiungi al carrello",
            "kopen|koop nu|nu kopen|betalen|afrekenen|bestellen|nu bestellen|boeken|in winkelwagen|in winkelmandje",
            "kup|kup teraz|zaplac|zamow|zamawiam|przejdz do kasy|do kasy|rezerwuj|zarezerwuj|dodaj do koszyka|do koszyka",
            "立即购买|加入购物车|去结算|结算|提交订单|購入する|今すぐ購入|カートに入れる|カートに追加|レジに進む|注文する|予約する",
            "구매하기|바로구매|장바구니 담기|결제하기|주문하기|예약하기|купить|оформить заказ|в корзину|добавить в корзину|забронировать",
        ],
    )])
});

/// Whether a group is such a bar: people see it wherever they are on the page.
pub(super) fn sells(survey: &Survey<'_>, node: NodeIndex) -> bool {
    let tree = &survey.tree;
    let Some(group) = tree.group(node).filter(|group| group.fixed) else { return false };
    let items = tree.items_within(node);
    let may_be_one = !matches!(group.kind, GroupKind::Nav | GroupKind::Header | GroupKind::Main);
    if !may_be_one || items.len() > MOST_CONTROLS || consent::is_hinted(survey, node) {
        return false;
    }
    let buys = |item: usize| {
        let traits = &survey.traits[item];
        let is_command = matches!(traits.usage, Use::Press | Use::Follow);
        traits.in_view && is_command && PURCHASES.hits(&traits.words).any(|hit| hit.at == 0)
    };
    let is_low = survey.place_of(node).is_some_and(|place| survey.frames.is_at_the_foot(place, HIGHEST));
    is_low && items.into_iter().any(buys)
}
