onmessage = () => fetch("/status/202")
