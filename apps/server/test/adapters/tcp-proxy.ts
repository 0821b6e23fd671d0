import { connect, createServer, type Server, type Socket } from 'node:net'

/** A line that can fail as lines do. */
export type TcpProxy = AsyncDisposable & {
  readonly port: number
  /** Carries everything. */
  open(): Promise<void>
  /** Refuses connections and cuts those that stand. */
  close(): Promise<void>
  /** Carries questions and loses the answers. */
  mute(): void
  /** Those who are connected hear nothing any more and are heard by nobody; who connects from now on is. */
  orphan(): void
  /** Carries questions at once and answers this much later. */
  slow(delayMs: number): void
  /**
   * Loses one answer, and cuts the line that it came by: the one that comes after so many others, of the questions that
   * count.
   */
  loseAnswer(after: number, counts?: (question: string) => boolean): Loss
  /** Loses the answer to one question that contains this text, and cuts its line. */
  loseAnswerTo(text: string): Loss
}

/** Whether it has happened; an answer that is to be lost may never come. */
export type Loss = { readonly hasHappened: () => boolean; forget(): void }

/** A proxy before a service on this machine, on a port that stays the same however often it fails. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let generation = 0
  let muted = false
  let delayMs = 0
  let isLost: (question: string) => boolean = () => false
  let server: Server | undefined
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    socket
      .on('error', () => undefined)
      .on('close', () => {
        sockets.delete(socket)
      })
    return socket
  }
  const lose = (decide: (question: string) => boolean): Loss => {
    let happened = false
    const mine = (question: string): boolean => {
      if (!decide(question)) return false
      happened = true
      forget()
      return true
    }
    const forget = (): void => {
      if (isLost === mine) isLost = () => false
    }
    isLost = mine
    return { hasHappened: () => happened, forget }
  }
  const carry = (client: Socket): void => {
    const upstream = track(connect(targetPort, '127.0.0.1'))
    let question = ''
    const born = generation
    track(client).on('data', (chunk) => {
      question = chunk.toString('latin1')
      if (born === generation) upstream.write(chunk)
    })
    client.on('end', () => {
      upstream.end()
    })
    upstream.on('data', (chunk) => {
      if (muted || born !== generation) return
      if (isLost(question)) {
        client.destroy()
        return
      }
      if (delayMs === 0) client.write(chunk)
      else
        setTimeout(() => {
          client.write(chunk)
        }, delayMs)
    })
    upstream.on('close', () => {
      setTimeout(() => {
        client.destroy()
      }, delayMs)
    })
    client.on('close', () => {
      upstream.end()
    })
  }
  const listen = async (port: number): Promise<number> => {
    server = createServer(carry)
    await new Promise<void>((resolve, reject) => {
      server?.once('error', reject).listen(port, '127.0.0.1', resolve)
    })
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  const port = await listen(0)
  const close = async (): Promise<void> => {
    const closing = server
    server = undefined
    for (const socket of sockets) socket.destroy()
    if (closing !== undefined) await new Promise((resolve) => closing.close(resolve))
    // Those who held connections hear of their end in the turn in which this one hears of its refusal, or before.
    await new Promise<void>((resolve) => {
      connect(port, '127.0.0.1').on('error', () => {
        resolve()
      })
    })
    for (let turn = 0; turn < 2; turn += 1)
      await new Promise<void>((resolve) => {
        setImmediate(resolve)
      })
  }
  return {
    port,
    async open() {
      muted = false
      delayMs = 0
      if (server === undefined) await listen(port)
    },
    close,
    orphan() {
      generation += 1
    },
    mute() {
      muted = true
    },
    slow(ms) {
      delayMs = ms
    },
    loseAnswer(after, counts = () => true) {
      let left = after
      return lose((question) => counts(question) && left-- === 0)
    },
    loseAnswerTo: (text) => lose((question) => question.includes(text)),
    [Symbol.asyncDispose]: close,
  }
}
