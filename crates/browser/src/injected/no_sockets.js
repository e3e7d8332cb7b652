// Channels that nobody can see through are closed before a page or worker runs: to a page they look like a server that does not
// answer. Runs in the page's own world, where the page would look for them.
(allowed => {
  if (allowed.includes(self.origin)) return;
  const closed = "WebSocketStream WebTransport RTCPeerConnection webkitRTCPeerConnection".split(" ");
  for (const name of closed) {
    try {
      Object.defineProperty(self, name, { value: undefined, writable: false, configurable: false });
    } catch {
      delete self[name];
    }
  }
  if (typeof WebSocket !== "function") return;
  class ClosedSocket extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSING = 2;
    static CLOSED = 3;
    CONNECTING = 0;
    OPEN = 1;
    CLOSING = 2;
    CLOSED = 3;
    readyState = 0;
    bufferedAmount = 0;
    binaryType = "blob";
    protocol = "";
    extensions = "";
    onopen = null;
    onmessage = null;
    onerror = null;
    onclose = null;
    #tell(event) {
      const heard = this["on" + event.type];
      if (typeof heard === "function") heard.call(this, event);
      this.dispatchEvent(event);
    }
    constructor(url) {
      super();
      this.url = String(url);
      // In a worker it is not there before the worker runs.
      self.setTimeout(() => {
        this.readyState = 3;
        this.#tell(new Event("error"));
        this.#tell(new CloseEvent("close", { code: 1006, wasClean: false }));
      });
    }
    send() {
      if (this.readyState === 0) throw new DOMException("Still in CONNECTING state.", "InvalidStateError");
    }
    close() {}
  }
  Object.defineProperty(ClosedSocket, "name", { value: "WebSocket" });
  Object.defineProperty(self, "WebSocket", { value: ClosedSocket, writable: true, configurable: true });
})
