// Lets the manual's search work from disk. It runs in a Worker, which browsers do not start for pages that come from files; there
// this class stands in for Worker and runs the script in a hidden frame. The search looks for the name IFrameWorker.
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.started = new Promise((resolve) => {
        this.frame.onload = () => {
          const inside = this.frame.contentWindow;
          // What the script sends comes out here, and not back to itself.
          inside.postMessage = (data) => setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })));
          const script = inside.document.createElement("script");
          script.src = new URL(url, location.href);
          script.onload = () => resolve(inside);
          inside.document.head.append(script);
        };
      });
      this.frame.srcdoc = "<!doctype html><title>search</title>";
      document.body.append(this.frame);
    }

    postMessage(data) {
      this.started.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
