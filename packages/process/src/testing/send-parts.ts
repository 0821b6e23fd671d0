import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Sends each part a little after the one before; all that comes back until the listener ends its side. `isEnded`: the
 * sender ends its own behind the last part.
 */
export async function sendParts(port: number, parts: readonly string[], isEnded = false): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const heard = text(socket)
  for (const part of parts) {
    socket.write(Buffer.from(part, 'latin1'))
    if (part !== parts.at(-1)) await pause(30)
  }
  if (isEnded) socket.end()
  return heard.finally(() => socket.destroy())
}
