export type ServerEvent = { readonly event: string; readonly data: string }

const MAX_EVENT_CHARACTERS = 64 * 1024 * 1024

/** Server-sent events, as they come. */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of bytes) {
    const blocks = (rest + decoder.decode(piece, { stream: true })).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    if (rest.length > MAX_EVENT_CHARACTERS)
      throw new RangeError('an event of the answer is too long')
    for (const block of blocks) yield eventOf(block)
  }
}

function eventOf(block: string): ServerEvent {
  const lines = block.split(/\r?\n/)
  const fields = (name: string): readonly string[] =>
    lines
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
  return { event: fields('event').at(-1) ?? 'message', data: fields('data').join('\n') }
}
