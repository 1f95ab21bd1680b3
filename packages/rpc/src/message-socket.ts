/** A WebSocket as a queue of messages with one reader, counted. */

/** What is used of a WebSocket: a Worker's, a browser's and the one of `ws` fit. */
export interface SocketLike {
  binaryType: string;
  readonly readyState: number;
  readonly protocol?: string | null;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number; reason: string }) => void): void;
  addEventListener(type: "error", listener: (event: { message?: string }) => void): void;
}

/** What went over a carrier, in messages and in bytes of payload. */
export interface CarrierCount {
  messagesSent: number;
  messagesReceived: number;
  bytesSent: number;
  bytesReceived: number;
}

const CONNECTING = 0;
/** The close code that capnweb uses for a session that was ended. */
const SESSION_ENDED = 3_000;
/** A close frame holds 123 bytes of reason; characters take up to three. */
const REASON_CHARACTERS = 40;

/** Frames in and out. Messages that arrive before they are asked for wait; after the end `receive` rejects. */
export class MessageSocket {
  readonly count: CarrierCount = { messagesSent: 0, messagesReceived: 0, bytesSent: 0, bytesReceived: 0 };
  readonly #socket: SocketLike;
  readonly #inbox: (string | Uint8Array)[] = [];
  #waiting: PromiseWithResolvers<string | Uint8Array> | undefined;
  #outbox: (string | Uint8Array<ArrayBuffer>)[] | undefined;
  #ended: Error | undefined;

  constructor(socket: SocketLike) {
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    if (socket.readyState === CONNECTING) {
      this.#outbox = [];
      socket.addEventListener("open", () => this.#opened());
    }
    socket.addEventListener("message", ({ data }) => this.#arrived(data));
    socket.addEventListener("close", ({ code, reason }) =>
      this.#end(new Error(`the WebSocket was closed with code ${code}${reason === "" ? "" : `: ${reason}`}`)),
    );
    socket.addEventListener("error", ({ message }) => this.#end(new Error(`the WebSocket failed: ${message ?? ""}`)));
  }

  send(message: string | Uint8Array<ArrayBuffer>): void {
    if (this.#ended !== undefined) throw this.#ended;
    this.count.messagesSent += 1;
    this.count.bytesSent += payloadBytes(message);
    if (this.#outbox === undefined) this.#socket.send(message);
    else this.#outbox.push(message);
  }

  receive(): Promise<string | Uint8Array> {
    const message = this.#inbox.shift();
    if (message !== undefined) return Promise.resolve(message);
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** Ends the connection, telling the other side why. */
  abort(reason: unknown): void {
    const text = reason instanceof Error ? reason.message : String(reason);
    this.#ended ??= reason instanceof Error ? reason : new Error(text);
    this.#socket.close(SESSION_ENDED, text.slice(0, REASON_CHARACTERS));
  }

  #opened(): void {
    const outbox = this.#outbox ?? [];
    this.#outbox = undefined;
    try {
      for (const message of outbox) this.#socket.send(message);
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #arrived(data: unknown): void {
    if (this.#ended !== undefined) return;
    if (typeof data !== "string" && !(data instanceof ArrayBuffer)) {
      this.#end(new TypeError("the WebSocket gave a message that is neither text nor an ArrayBuffer"));
      return;
    }
    const message = typeof data === "string" ? data : new Uint8Array(data);
    this.count.messagesReceived += 1;
    this.count.bytesReceived += payloadBytes(message);
    if (this.#waiting === undefined) {
      this.#inbox.push(message);
    } else {
      this.#waiting.resolve(message);
      this.#waiting = undefined;
    }
  }

  #end(error: Error): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

const encoder = new TextEncoder();

function payloadBytes(message: string | Uint8Array): number {
  if (typeof message !== "string") return message.byteLength;
  // A large message is nearly always all ASCII (base64); encoding it again only to count it would cost as much as sending it.
  return /[^\0-\x7f]/.test(message) ? encoder.encode(message).byteLength : message.length;
}
