onactivate = event => event.waitUntil(clients.claim())
onmessage = event => event.source.postMessage("service worker heard " + event.data)
