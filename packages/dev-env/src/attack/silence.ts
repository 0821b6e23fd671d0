import { createSocket } from 'node:dgram'
import { fileURLToPath } from 'node:url'

/** A name server that takes every question and answers none. */
export type Silence = AsyncDisposable & {
  readonly heard: () => number
  /** Settings that make a process ask it. */
  readonly env: Readonly<Record<string, string>>
}

const preload = fileURLToPath(new URL('./ask-silence.ts', import.meta.url))

export async function startSilence(): Promise<Silence> {
  const socket = createSocket('udp4')
  let heard = 0
  socket.on('message', () => {
    heard += 1
  })
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve)
  })
  return {
    heard: () => heard,
    env: {
      NODE_OPTIONS: `--import=${preload}`,
      ERGON_SILENT_NAME_SERVER: `127.0.0.1:${String(socket.address().port)}`,
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        socket.close(() => {
          resolve()
        })
      }),
  }
}
