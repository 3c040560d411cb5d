/** Reads a stream in pieces of the size that is asked for. */
export interface Reader {
  exact(bytes: number): Promise<Buffer>;
  /** Up to and without the next line feed. */
  line(): Promise<string>;
  atEnd(): Promise<boolean>;
}

const LONGEST_LINE = 16_777_216;
const LINE_FEED = 10;

export function createReader(source: AsyncIterable<Buffer>): Reader {
  const chunks = source[Symbol.asyncIterator]();
  let waiting: Buffer = Buffer.alloc(0);

  async function more(): Promise<boolean> {
    const { done, value } = await chunks.next();
    if (done) return false;
    waiting = waiting.length === 0 ? value : Buffer.concat([waiting, value]);
    return true;
  }

  async function exact(bytes: number): Promise<Buffer> {
    while (waiting.length < bytes) if (!(await more())) throw new Error("The backup was cut off.");
    const piece = waiting.subarray(0, bytes);
    waiting = waiting.subarray(bytes);
    return piece;
  }

  return {
    exact,
    async line() {
      let end = waiting.indexOf(LINE_FEED);
      while (end < 0) {
        if (waiting.length > LONGEST_LINE || !(await more())) throw new Error("The backup is damaged.");
        end = waiting.indexOf(LINE_FEED);
      }
      const text = waiting.subarray(0, end).toString();
      waiting = waiting.subarray(end + 1);
      return text;
    },
    async atEnd() {
      while (waiting.length === 0) if (!(await more())) return true;
      return false;
    },
  };
}
