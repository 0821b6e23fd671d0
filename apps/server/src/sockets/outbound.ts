import type { Said } from './frames.ts'

/** As much of a socket as is written to. */
export type Wire = {
  readonly bufferedAmount: number
  readonly isOpen: boolean
  send(data: string | Buffer, done?: (error?: Error) => void): void
}

export type Outbound = {
  /** An answer to the client. */
  answer(text: string): void
  /** Something that is said to many; dropped when this client was told it lately. */
  hear(said: Said): void
  /** Holds back what is said until `work` has told what was missed. */
  afterwards(work: (tell: (said: readonly Said[]) => Promise<void>) => Promise<void>): Promise<void>
}

export type OutboundDeps = {
  readonly wire: Wire
  readonly maxBufferedBytes: number
  /** The client does not read. */
  readonly onStall: () => void
}

const remembered = 4_096
const maxHeld = 4_096

/** What goes to one client: nothing twice under one id, and never more waiting than a reader of this speed may cost. */
export function createOutbound({ wire, maxBufferedBytes, onStall }: OutboundDeps): Outbound {
  const lately: string[] = []
  let next = 0
  let held: Said[] | undefined
  /** What was read from the past lately: the live stream may still be behind it. */
  const recalled = new Set<string>()

  const send = (data: string | Buffer, done?: (error?: Error) => void): void => {
    if (!wire.isOpen) {
      done?.()
      return
    }
    wire.send(data, done)
    if (wire.bufferedAmount > maxBufferedBytes) onStall()
  }
  const say = (said: Said, done?: () => void): void => {
    lately[next] = said.id
    next = (next + 1) % remembered
    send(said.bytes, done)
  }

  return {
    answer: (text) => {
      send(text)
    },
    hear(said) {
      if (recalled.delete(said.id)) return
      if (held === undefined) say(said)
      else if (held.push(said) > maxHeld) onStall()
    },
    async afterwards(work) {
      held = []
      const told = new Set(lately)
      const fresh = (said: readonly Said[]): readonly Said[] =>
        said.filter(({ id }) => {
          const isNew = !told.has(id)
          told.add(id)
          return isNew
        })
      try {
        await work(async (said) => {
          const news = fresh(said)
          // One write at a time is waited for, so that a long past does not fill the memory.
          for (let index = 0; index < news.length; index += 1) {
            const one = news[index]
            if (one === undefined) continue
            remember(recalled, one.id)
            if (index === news.length - 1)
              await new Promise<void>((resolve) => {
                say(one, resolve)
              })
            else say(one)
          }
        })
      } finally {
        const waiting = held
        held = undefined
        for (const words of fresh(waiting)) say(words)
      }
    },
  }
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id)
  if (ids.size <= remembered) return
  for (const oldest of ids) {
    ids.delete(oldest)
    return
  }
}
