import { setTimeout as pause } from 'node:timers/promises'
import type { Socket } from 'node:net'
import type { Line } from './line.ts'
import { pass, type Decide, type Fate, type Lost, type Passing } from './passing.ts'
import { createFramer, type Frame } from './pg-frames.ts'
import { createPgSession } from './pg-session.ts'
import { openSockets, reachLocal, type Sockets } from './sockets.ts'

export type PgLineOptions = {
  readonly from: string
  /** Where PostgreSQL listens now; a restart may change it. */
  readonly target: () => number
  readonly decide: Decide
  readonly onLost: Lost
}

/** A proxy before PostgreSQL that understands enough of the protocol to know each question and its answer. */
export async function startPgLine(options: PgLineOptions): Promise<Line> {
  const sockets = await openSockets((client) => {
    carry(options, sockets, client)
  })
  return sockets
}

/** What the line does with the answer that comes next. */
type Losing = {
  readonly passing: Passing
  readonly ms: number
  readonly failover: { readonly graceMs: number } | undefined
  failed: boolean
}

function losingBy(fate: Fate, passing: Passing): Losing | undefined {
  if (fate.kind === 'lose') return { passing, ms: fate.ms ?? 0, failover: undefined, failed: false }
  return fate.kind === 'failover' ? { passing, ms: fate.ms, failover: fate, failed: false } : undefined
}

/** All lines end after the grace, and new ones are refused for some time. */
function failOver(sockets: Sockets, graceMs: number, ms: number): void {
  setTimeout(() => {
    sockets.close()
  }, graceMs)
  setTimeout(() => {
    sockets.open()
  }, graceMs + ms)
}

function carry({ from, target, decide, onLost }: PgLineOptions, sockets: Sockets, client: Socket): void {
  const upstream = sockets.track(reachLocal(target()))
  const session = createPgSession()
  const [ofClient, ofServer] = [createFramer('client'), createFramer('server')]
  let isReady = false
  let losing: Losing | undefined
  let slowMs = 0
  let asked: Frame[] = []
  let turn: Promise<void> = Promise.resolve()

  const end = (): void => {
    client.destroy()
    upstream.destroy()
  }
  const send = (frames: readonly Frame[]): void => {
    if (!upstream.destroyed) upstream.write(Buffer.concat(frames.map(({ bytes }) => bytes)))
  }
  const meet = async (passing: Passing, fate: Fate, frames: readonly Frame[]): Promise<void> => {
    if (fate.kind === 'cut') return end()
    if (fate.kind === 'hold') await pause(fate.ms)
    losing = losingBy(fate, passing) ?? losing
    if (fate.kind === 'slow') slowMs = fate.ms
    send(frames)
  }
  const ask = (frame: Frame): void => {
    // Until the first ReadyForQuery the two talk about who is calling.
    if (!isReady || frame.type === 'X') return send([frame])
    asked.push(frame)
    const question = session.ask(frame)
    if (question === undefined) return
    const frames = asked
    asked = []
    const passing: Passing = { line: 'db', from, ...question }
    turn = turn.then(() => meet(passing, question.name === 'rollback' ? pass : decide(passing), frames))
  }
  const hear = (frame: Frame): void => {
    if (frame.type === 'E' && losing !== undefined) losing.failed = true
    if (frame.type !== 'Z') return
    isReady = true
    session.ready(frame.body.toString('latin1', 0, 1))
    if (losing === undefined) return
    // An error was no effect: what is to be lost is the answer to something that was done.
    if (!losing.failed) onLost(losing.passing, losing.failover === undefined ? 'lose' : 'failover')
    if (losing.failover === undefined) setTimeout(end, losing.ms)
    else {
      end()
      failOver(sockets, losing.failover.graceMs, losing.ms)
    }
  }

  client.on('data', (chunk) => {
    for (const frame of ofClient(chunk)) ask(frame)
  })
  upstream.on('data', (chunk) => {
    const frames = ofServer(chunk)
    for (const frame of frames) hear(frame)
    const answered = frames.some(({ type }) => type === 'Z')
    if (losing !== undefined || client.destroyed) return
    // Nothing follows a late answer until it has arrived: the client asks one thing at a time.
    if (slowMs === 0) client.write(chunk)
    else setTimeout(() => !client.destroyed && client.write(chunk), slowMs)
    if (answered) slowMs = 0
  })
  // A question under way when its asker goes reaches PostgreSQL all the same.
  client.on('close', () => {
    turn
      .finally(() => {
        upstream.end()
      })
      .catch(() => undefined)
  })
  upstream.on('close', () => {
    client.destroy()
  })
}
