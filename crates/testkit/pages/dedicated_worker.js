onmessage = event => postMessage("dedicated worker heard " + event.data)
