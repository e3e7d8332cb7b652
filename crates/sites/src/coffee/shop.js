"use strict";
const token = document.querySelector('meta[name="csrf-token"]').content;
const send = (path, body) => fetch(path, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ ...body, token }),
}).then((answer) => answer.json()).catch(() => ({ error: "We could not reach the shop. Please try again." }));

// The question about cookies goes away without a new page.
for (const button of document.querySelectorAll("[data-consent]")) {
  button.addEventListener("click", async () => {
    const answer = await send("/consent", { choice: button.dataset.consent });
    if (!answer.error) document.getElementById("cookies").remove();
  });
}

// A coffee goes into the basket while its page stays.
const buy = document.querySelector("form[data-live-basket]");
if (buy) {
  buy.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { slug, grams, grind, quantity } = Object.fromEntries(new FormData(buy));
    const answer = await send("/api/basket", { slug, grams: Number(grams), grind, quantity: Number(quantity) });
    const added = document.getElementById("added");
    if (answer.error) {
      added.textContent = answer.error;
      return;
    }
    const count = document.getElementById("basket-count");
    count.textContent = answer.count;
    count.setAttribute("aria-label", `${answer.count} in the basket`);
    added.innerHTML = "";
    const link = document.createElement("a");
    link.href = "/basket";
    link.textContent = "See your basket";
    added.append(`${answer.added} is in your basket. `, link);
  });
}

// The last step of the checkout, where it is done by a script.
const place = document.getElementById("place");
if (place) {
  place.addEventListener("click", async () => {
    place.disabled = true;
    const { total, currency, basket } = document.getElementById("pay").dataset;
    const placed = document.getElementById("placed");
    const answer = await send("/api/orders", { total, currency, basket });
    if (answer.error) {
      placed.textContent = answer.error;
      place.disabled = false;
      return;
    }
    place.remove();
    document.querySelector("h1").textContent = "Thank you";
    document.getElementById("basket-count").textContent = "0";
    const link = document.createElement("a");
    link.href = `/orders/${answer.order}`;
    link.textContent = answer.order;
    placed.append("Order placed. Your order number is ", link, ".");
  });
}
