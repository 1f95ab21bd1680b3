/** Streams that are read and made a bounded piece at a time. */

/** The items of a stream in groups that end at `count` items or `size` bytes. Leaving the loop early cancels the stream. */
export async function* batches<T>(
  stream: ReadableStream<T>,
  count: number,
  size: number,
  sizeOf: (item: T) => number,
): AsyncGenerator<T[]> {
  let group: T[] = [];
  let held = 0;
  for await (const item of stream) {
    group.push(item);
    held += sizeOf(item);
    if (group.length < count && held < size) continue;
    yield group;
    group = [];
    held = 0;
  }
  if (group.length > 0) yield group;
}

/** A stream that takes the next item only when it is asked for one; cancelling it ends the source. */
export function pulled<T>(source: AsyncIterator<T>): ReadableStream<T> {
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const { done, value } = await source.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
