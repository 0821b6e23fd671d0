export type Fields = Readonly<Record<string, unknown>>
/** One message of the tool protocol; what is looked at is looked at as unknown. */
export type Message = {
  readonly id?: unknown
  readonly method?: string
  readonly params?: Fields
  readonly result?: unknown
  readonly error?: unknown
}

/** The message of a line; undefined where it is no JSON object. */
export function readMessage(text: string): Message | undefined {
  try {
    const read: unknown = JSON.parse(text)
    // What is looked at is looked at as unknown; the rest travels on unread.
    return isFields(read) ? read : undefined
  } catch {
    return undefined
  }
}

/** Whether a value is an object whose members can be asked for. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An answer of the bridge's own: something between the client and the service failed. */
export function failure(id: unknown, message: string, data?: unknown): Message {
  return answerOf(id, { error: { code: -32603, message, ...(data === undefined ? {} : { data }) } })
}

/** Of a stream, or of a connection that was cut in it: whoever asked waits for an answer. */
export const endedEarly = 'the tool server ended its answer early'

/** A message with its envelope. */
export function answerOf(id: unknown, body: Fields): Message {
  return { jsonrpc: '2.0', id, ...body } as Message
}
