/** One event of a text/event-stream. */
export type ServerSentEvent = {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string
}

/** More than this without an end of an event is no stream of ours. */
const longestEvent = 1_048_576

/** Reads events as they arrive; ends when the body does. An unfinished event at the end counts as none. */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      // A carriage return at the very end may be half of a line end.
      const whole = rest.endsWith('\r') ? rest.slice(0, -1) : rest
      const blocks = whole.replaceAll(/\r\n?/g, '\n').split('\n\n')
      rest = (blocks.pop() ?? '') + (rest.endsWith('\r') ? '\r' : '')
      if (rest.length > longestEvent) throw new RangeError('the stream sends an event without an end')
      for (const block of blocks) {
        const event = parseBlock(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseBlock(block: string): ServerSentEvent | undefined {
  const data: string[] = []
  let id: string | undefined
  let event: string | undefined
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    const [field, value] = colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
    if (field === 'data') data.push(value)
    else if (field === 'id') id = value
    else if (field === 'event') event = value
  }
  return data.length === 0 ? undefined : { id, event, data: data.join('\n') }
}
