// Tries to get out in every way that a page has, each to an address of its own, and tells which did not come to an end in time. Runs in
// an empty page before anybody is served. Whoever listens at the addresses knows what arrived, and how.
(async ({ reads, writes, workerWrites, sockets, peers, patience }) => {
  const late = [];
  const tried = (address, attempt) => {
    let timer;
    const overdue = new Promise(over => (timer = setTimeout(() => over(late.push(address)), patience)));
    const done = (async () => attempt())().catch(() => {});
    return Promise.race([done, overdue]).finally(() => clearTimeout(timer));
  };
  const read = address => fetch(address, { mode: "no-cors", cache: "no-store" });
  const write = address => fetch(address, { method: "POST", mode: "no-cors", body: "x" });
  const workerWrite = address =>
    new Promise(over => {
      const script = `fetch(${JSON.stringify(address)}, { method: "POST", mode: "no-cors", body: "x" })
        .catch(() => {}).finally(() => postMessage("done"))`;
      const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
      worker.onmessage = worker.onerror = over;
    }).catch(() => {});
  const socket = address =>
    new Promise(over => {
      const socket = new WebSocket(address);
      socket.onopen = socket.onerror = socket.onclose = over;
    });
  const peer = async address => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: address, username: "x", credential: "x" }] });
    const gathered = new Promise(over => {
      peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && over();
    });
    peer.createDataChannel("x");
    await peer.setLocalDescription(await peer.createOffer());
    await gathered;
    peer.close();
  };
  const all = (addresses, attempt) => addresses.map(address => tried(address, () => attempt(address)));
  await Promise.all([
    ...all(reads, read),
    ...all(writes, write),
    ...all(workerWrites, workerWrite),
    ...all(sockets, socket),
    ...all(peers, peer),
  ]);
  return late;
})
