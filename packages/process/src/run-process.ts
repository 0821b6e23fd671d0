import process from 'node:process'
import { isOfDatabase, obstacleOf } from './database/obstacle.ts'
import { endsWithin } from './ends-within.ts'

export type Running = {
  /** Settles when the process is told to stop: by a signal, or because its parent is gone. */
  readonly stopRequested: Promise<Stopped>
  /** Ends what runs; says so and goes on where that takes longer than a service manager waits. */
  end(owner: AsyncDisposable): Promise<void>
}
/** Nothing that a service is has this shape, so that both may race. */
export type Stopped = { readonly told: 'SIGINT' | 'SIGTERM' | 'disconnect' }

export type ProcessOptions = {
  readonly name: string
  /** Errors whose message is for whoever started the process; of any other it sees where it came from. */
  readonly plain: abstract new (message: string) => Error
  /** What becomes of work that did not end in time, as the end of a sentence. */
  readonly leftTo: string
  readonly stopLimitMs?: number
}

/** Service managers kill a process that takes longer. */
const stopLimitMs = 20_000

/**
 * Runs a service until it is done, then ends the process: exit code 0, what the work set itself, or 1 with a line on
 * standard error.
 */
export async function runProcess(options: ProcessOptions, work: (running: Running) => Promise<void>): Promise<never> {
  const { name, plain, leftTo } = options
  // Whoever started this may have closed its end; there is nobody to tell then.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const tell = (text: string): void => {
    process.stderr.write(`${name}: ${text}\n`)
  }
  try {
    await work({
      stopRequested: untilTold(),
      async end(owner) {
        const limitMs = options.stopLimitMs ?? stopLimitMs
        if (await endsWithin(limitMs, owner)) return
        tell(`what is under way did not end within ${String(limitMs / 1_000)} s${leftTo}`)
      },
    })
  } catch (error) {
    tell(wordsOf(error, plain))
    process.exitCode = 1
  }
  process.exit()
}

/** What came of a database is for its operator; what is a mistake of ours says where it came from. */
function wordsOf(error: unknown, plain: ProcessOptions['plain']): string {
  if (error instanceof plain) return error.message
  if (isOfDatabase(error))
    return `the database of DATABASE_URL did not do what was asked of it: ${obstacleOf(error).message}`
  return String(error instanceof Error ? error.stack : error)
}

function untilTold(): Promise<Stopped> {
  return new Promise((resolve) => {
    // A parent that dies takes its services with it.
    for (const told of ['SIGINT', 'SIGTERM', 'disconnect'] as const)
      process.once(told, () => {
        resolve({ told })
      })
  })
}
