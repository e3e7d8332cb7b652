onconnect = ({ ports: [port] }) => port.onmessage = event => port.postMessage("shared worker heard " + event.data)
