import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { generatePrivateKey, privateKeySigner, signAuthFrame } from '@ergon/protocols'
import { WebSocket } from 'ws'

/** Many readers of one service, and one that does not read. */
export type Crowd = AsyncDisposable & {
  /** How many event frames came to those that read. */
  heard(): number
  /** Waits until so many came. */
  untilHeard(count: number): Promise<void>
}

export type CrowdOptions = {
  readonly url: string
  readonly readers: number
  /** Null for a service that asks for none. */
  readonly room: string | null
  readonly onEvent?: (text: string) => void
}

const each = 5
/** A service gives one address a hundred seats, fifty of them to strangers. */
const perAddress = 50
const patienceMs = 60_000

export async function gather({ url, readers, room, onEvent }: CrowdOptions): Promise<Crowd> {
  const sockets: WebSocket[] = []
  let heard = 0
  const enter = async (key: ReturnType<typeof generatePrivateKey>, reads: boolean): Promise<void> => {
    const localAddress = `127.0.0.${String(2 + Math.floor(sockets.length / perAddress))}`
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { perMessageDeflate: false, localAddress })
    sockets.push(socket)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    if (room !== null) {
      const { payload } = await signAuthFrame(`${url}/ws`, {
        signer: privateKeySigner(key),
        chainId: 31_337,
        now: Date.now() / 1_000,
        nonce: randomUUID(),
      })
      await asked(socket, 'auth_success', { type: 'auth', payload })
      await asked(socket, 'subscribed', { type: 'subscribe', payload: { room } })
    }
    if (!reads) {
      socket.pause()
      return
    }
    socket.on('message', (bytes: Buffer) => {
      // Events are the only frames that begin so; parsing each would measure the reader.
      if (!bytes.subarray(0, 15).equals(eventStart)) return
      heard += 1
      onEvent?.(bytes.toString())
    })
  }
  let key = generatePrivateKey()
  for (let count = 0; count <= readers; count += 1) {
    if (count % each === 0) key = generatePrivateKey()
    await enter(key, count < readers)
  }
  return {
    heard: () => heard,
    async untilHeard(count) {
      const until = performance.now() + patienceMs
      while (heard < count) {
        if (performance.now() > until) throw new Error(`${heard} of ${count} events came`)
        await pause(2)
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(
        sockets.map(
          (socket) =>
            new Promise((resolve) => {
              if (socket.readyState === WebSocket.CLOSED) {
                resolve(undefined)
                return
              }
              socket.once('close', resolve)
              socket.terminate()
            }),
        ),
      )
    },
  }
}

const eventStart = Buffer.from('{"type":"event"')

function asked(socket: WebSocket, answer: string, frame: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const read = (bytes: Buffer): void => {
      const { type } = JSON.parse(bytes.toString()) as { readonly type: string } // every frame has one
      if (type === answer) {
        socket.off('message', read)
        resolve()
      } else if (type === 'error' || type === 'auth_failed') reject(new Error(bytes.toString()))
    }
    socket.on('message', read)
    socket.send(JSON.stringify(frame))
  })
}
